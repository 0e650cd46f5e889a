"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.mindrecord.cifar import Cifar10 as Cifar10
from msjax.mindrecord.cifar import Cifar100 as Cifar100
from msjax.mindrecord.exceptions import DbConnectionError as DbConnectionError
from msjax.mindrecord.exceptions import MRMAddIndexError as MRMAddIndexError
from msjax.mindrecord.exceptions import MRMAddSchemaError as MRMAddSchemaError
from msjax.mindrecord.exceptions import MRMBuildSchemaError as MRMBuildSchemaError
from msjax.mindrecord.exceptions import MRMCloseError as MRMCloseError
from msjax.mindrecord.exceptions import MRMCommitError as MRMCommitError
from msjax.mindrecord.exceptions import MRMDefineBlobError as MRMDefineBlobError
from msjax.mindrecord.exceptions import MRMDefineCategoryError as MRMDefineCategoryError
from msjax.mindrecord.exceptions import MRMDefineIndexError as MRMDefineIndexError
from msjax.mindrecord.exceptions import MRMFetchCandidateFieldsError as MRMFetchCandidateFieldsError
from msjax.mindrecord.exceptions import MRMFetchDataError as MRMFetchDataError
from msjax.mindrecord.exceptions import MRMFinishError as MRMFinishError
from msjax.mindrecord.exceptions import MRMGenerateIndexError as MRMGenerateIndexError
from msjax.mindrecord.exceptions import MRMGetMetaError as MRMGetMetaError
from msjax.mindrecord.exceptions import MRMIndexGeneratorError as MRMIndexGeneratorError
from msjax.mindrecord.exceptions import MRMInitSegmentError as MRMInitSegmentError
from msjax.mindrecord.exceptions import MRMInvalidHeaderSizeError as MRMInvalidHeaderSizeError
from msjax.mindrecord.exceptions import MRMInvalidPageSizeError as MRMInvalidPageSizeError
from msjax.mindrecord.exceptions import MRMInvalidSchemaError as MRMInvalidSchemaError
from msjax.mindrecord.exceptions import MRMLaunchError as MRMLaunchError
from msjax.mindrecord.exceptions import MRMOpenError as MRMOpenError
from msjax.mindrecord.exceptions import MRMOpenForAppendError as MRMOpenForAppendError
from msjax.mindrecord.exceptions import MRMReadCategoryInfoError as MRMReadCategoryInfoError
from msjax.mindrecord.exceptions import MRMSetHeaderError as MRMSetHeaderError
from msjax.mindrecord.exceptions import MRMUnsupportedSchemaError as MRMUnsupportedSchemaError
from msjax.mindrecord.exceptions import MRMValidateDataError as MRMValidateDataError
from msjax.mindrecord.exceptions import MRMWriteDatasetError as MRMWriteDatasetError
from msjax.mindrecord.exceptions import MindRecordException as MindRecordException
from msjax.mindrecord.exceptions import ParamMissError as ParamMissError
from msjax.mindrecord.exceptions import ParamTypeError as ParamTypeError
from msjax.mindrecord.exceptions import ParamValueError as ParamValueError
from msjax.mindrecord.exceptions import PathNotExistsError as PathNotExistsError
from msjax.mindrecord.exceptions import UnknownError as UnknownError
from msjax.mindrecord.constants import check_filename as check_filename
from msjax.mindrecord.constants import check_parameter as check_parameter
from msjax.mindrecord.tools.cifar100 import *
from msjax.mindrecord import *
from msjax import *
from msjax import *
from msjax.mindrecord import *
from msjax.mindrecord.tools.cifar100 import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.mindrecord.cifar import Cifar10 as Cifar10
from msjax.mindrecord.cifar import Cifar100 as Cifar100
from msjax.mindrecord.exceptions import DbConnectionError as DbConnectionError
from msjax.mindrecord.exceptions import MRMAddIndexError as MRMAddIndexError
from msjax.mindrecord.exceptions import MRMAddSchemaError as MRMAddSchemaError
from msjax.mindrecord.exceptions import MRMBuildSchemaError as MRMBuildSchemaError
from msjax.mindrecord.exceptions import MRMCloseError as MRMCloseError
from msjax.mindrecord.exceptions import MRMCommitError as MRMCommitError
from msjax.mindrecord.exceptions import MRMDefineBlobError as MRMDefineBlobError
from msjax.mindrecord.exceptions import MRMDefineCategoryError as MRMDefineCategoryError
from msjax.mindrecord.exceptions import MRMDefineIndexError as MRMDefineIndexError
from msjax.mindrecord.exceptions import MRMFetchCandidateFieldsError as MRMFetchCandidateFieldsError
from msjax.mindrecord.exceptions import MRMFetchDataError as MRMFetchDataError
from msjax.mindrecord.exceptions import MRMFinishError as MRMFinishError
from msjax.mindrecord.exceptions import MRMGenerateIndexError as MRMGenerateIndexError
from msjax.mindrecord.exceptions import MRMGetMetaError as MRMGetMetaError
from msjax.mindrecord.exceptions import MRMIndexGeneratorError as MRMIndexGeneratorError
from msjax.mindrecord.exceptions import MRMInitSegmentError as MRMInitSegmentError
from msjax.mindrecord.exceptions import MRMInvalidHeaderSizeError as MRMInvalidHeaderSizeError
from msjax.mindrecord.exceptions import MRMInvalidPageSizeError as MRMInvalidPageSizeError
from msjax.mindrecord.exceptions import MRMInvalidSchemaError as MRMInvalidSchemaError
from msjax.mindrecord.exceptions import MRMLaunchError as MRMLaunchError
from msjax.mindrecord.exceptions import MRMOpenError as MRMOpenError
from msjax.mindrecord.exceptions import MRMOpenForAppendError as MRMOpenForAppendError
from msjax.mindrecord.exceptions import MRMReadCategoryInfoError as MRMReadCategoryInfoError
from msjax.mindrecord.exceptions import MRMSetHeaderError as MRMSetHeaderError
from msjax.mindrecord.exceptions import MRMUnsupportedSchemaError as MRMUnsupportedSchemaError
from msjax.mindrecord.exceptions import MRMValidateDataError as MRMValidateDataError
from msjax.mindrecord.exceptions import MRMWriteDatasetError as MRMWriteDatasetError
from msjax.mindrecord.exceptions import MindRecordException as MindRecordException
from msjax.mindrecord.exceptions import ParamMissError as ParamMissError
from msjax.mindrecord.exceptions import ParamTypeError as ParamTypeError
from msjax.mindrecord.exceptions import ParamValueError as ParamValueError
from msjax.mindrecord.exceptions import PathNotExistsError as PathNotExistsError
from msjax.mindrecord.exceptions import UnknownError as UnknownError
from msjax.mindrecord.constants import check_filename as check_filename
from msjax.mindrecord.constants import check_parameter as check_parameter
from typing import Any
def __getattr__(name: str) -> Any: ...
