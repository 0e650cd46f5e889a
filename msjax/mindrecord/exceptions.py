"""Exceptions of the record package: one base class and one table of the others.

Every class carries an ``error_code`` (a bit field, as MindSpore packs it) and an ``error_msg``; ``str(error)`` is
``[ClassName]: message``.
"""

# name: (number, message with a place for each argument of the constructor)
_TABLE = {
    "UnknownError": (0, "Unknown Error."),
    "ParamTypeError": (1, "Invalid parameter type. '{}' expect {} type."),
    "ParamValueError": (2, "Invalid parameter value. {}"),
    "ParamMissError": (3, "Param missing. '{}' is required."),
    "PathNotExistsError": (4, "Invalid path. {}"),
    "DbConnectionError": (5, "Db connection is error. Detail: {}"),
    "MRMOpenError": (100, "MindRecord File could not open successfully."),
    "MRMOpenForAppendError": (101, "MindRecord File could not open successfully for append."),
    "MRMInvalidPageSizeError": (102, "Failed to set page size."),
    "MRMInvalidHeaderSizeError": (103, "Failed to set header size."),
    "MRMSetHeaderError": (104, "Failed to set header."),
    "MRMWriteDatasetError": (105, "Failed to write dataset."),
    "MRMCommitError": (107, "Failed to commit."),
    "MRMLaunchError": (108, "Failed to launch."),
    "MRMFinishError": (109, "Failed to finish."),
    "MRMCloseError": (110, "Failed to close."),
    "MRMAddSchemaError": (111, "Failed to add schema."),
    "MRMAddIndexError": (112, "Failed to add index field."),
    "MRMBuildSchemaError": (113, "Failed to build schema."),
    "MRMGetMetaError": (114, "Failed to get meta info."),
    "MRMIndexGeneratorError": (115, "Failed to create index generator."),
    "MRMGenerateIndexError": (116, "Failed to generate index."),
    "MRMInitSegmentError": (117, "Failed to initialize segment."),
    "MRMFetchCandidateFieldsError": (118, "Failed to fetch candidate category fields."),
    "MRMReadCategoryInfoError": (119, "Failed to read category information."),
    "MRMFetchDataError": (120, "Failed to fetch data by category."),
    "MRMInvalidSchemaError": (200, "Schema format is error. Detail: {}"),
    "MRMValidateDataError": (201, "Raw data do not match the schema. Detail: {}"),
    "MRMDefineIndexError": (202, "Failed to define index field. Detail: {}"),
    "MRMDefineBlobError": (203, "Failed to define blob field. Detail: {}"),
    "MRMUnsupportedSchemaError": (204, "Schema is not supported. Detail: {}"),
    "MRMDefineCategoryError": (205, "Failed to define category field. Detail: {}"),
}

_RUNTIME_HOST, _TYPE_ERROR, _LEVEL_COMMON, _SYSTEM = 1, 1, 0, 42


class MindRecordException(Exception):
    """Base of all errors of this package.

    Args:
        *details: what fills the places of the class's message.
    """

    _number, _template = _TABLE["UnknownError"]

    def __init__(self, *details):
        super().__init__(*details)
        wanted = self._template.count("{}")
        if len(details) != wanted:
            raise TypeError(f"{type(self).__name__} takes {wanted} argument(s), but got {len(details)}.")
        self.error_msg = self._template.format(*details)

    @property
    def error_code(self):
        """The number of the error packed with the runtime, type, level, system and module it comes from."""
        return self.transform_error_code(self._number)

    @staticmethod
    def transform_error_code(exception_no: int):
        """Pack `exception_no` into MindSpore's bit field."""
        module = exception_no // 100 + 1
        return (
            _RUNTIME_HOST << 30
            | _TYPE_ERROR << 28
            | _LEVEL_COMMON << 25
            | _SYSTEM << 17
            | (module & 0xFF) << 12
            | exception_no & 0xFFF
        )

    def __str__(self):
        return f"[{type(self).__name__}]: {self.error_msg}"


def _define(name, number, template):
    doc = "Raised with: " + template.replace("{}", "...")
    return type(
        name, (MindRecordException,), {"__module__": __name__, "__doc__": doc, "_number": number, "_template": template}
    )


for _name, (_number, _template) in _TABLE.items():
    globals()[_name] = _define(_name, _number, _template)

__all__ = ["MindRecordException", *_TABLE]
