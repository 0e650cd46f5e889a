"""Made by `python -m msjax stubs`: do not edit."""
from msjax.nn.transformer.stack import get_lambda_func as _get_lambda_func_
_get_lambda_func = _get_lambda_func_
from msjax.nn.transformer.transformer import *
from msjax.nn.transformer.stack import get_lambda_func as _get_lambda_func_
_get_lambda_func = _get_lambda_func_
