"""`mindspore.onnx`: MindSpore 2.8 and later write ONNX files; here the file is to be made with other tools."""

from ..alias.names import MissingNames
from .export import export as _export

__all__ = ["export"]


def export(
    net,
    *inputs,
    file_name,
    input_names=None,
    output_names=None,
    export_params=True,
    keep_initializers_as_inputs=False,
    dynamic_axes=None,
):
    """Refused: ONNX files cannot be written here.

    Raises:
        ValueError: always, with what to do instead: `mindspore.export(net, ..., file_format="STABLEHLO")`, or
            jax2onnx with the function of the network.

    Example:
        >>> mindspore.onnx.export(net, x, file_name="net.onnx")
        Traceback (most recent call last):
        ValueError: For 'export', the format ONNX can not be written here; ...
    """
    _export(net, *inputs, file_name=file_name, file_format="ONNX")


__getattr__ = MissingNames(__name__)
