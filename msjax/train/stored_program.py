"""Programs from files of `jax.export`, inspected before any of them is compiled.

A program is code that runs on the device. What it must not do is reach out of it: calls into the process (callbacks, kernels with a
launcher of their own) are refused, only the libraries of linear algebra, random bits, sharding and kernels of the TPU may be named.
"""

import re

__all__ = ["read_program"]

_NAMED = re.compile(r'stablehlo\.custom_call"?\s*(?:@([\w.$]+)|@"([^"]*)"|[^\n]*?call_target_name = "([^"]*)")')
_ALLOWED = re.compile(
    r"(lapack|cusolver|cusparse|hipsolver)_[a-z0-9]+_ffi"
    r"|(cu|hip)_(threefry2x32_ffi|lu_pivots_to_permutation)"
    r"|Sharding|SPMDFullToShardShape|SPMDShardToFullShape|annotate_device_placement|AllocateBuffer"
    r"|ApproxTopK|Eigh|LuDecomposition|ProductOfElementaryHouseholderReflectors|Qr"
    r"|shape_assertion|stablehlo\.dynamic_\w+|tpu_custom_call"
)


def read_program(content: bytes):
    """The program that `jax.export` wrote.

    Args:
        content (bytes): what was written.

    Returns:
        jax.export.Exported.

    Raises:
        ValueError: the content is damaged, or calls something outside the device; the message names it.
    """
    from jax import export as jax_export  # slow, and only networks from files need it

    try:
        exported = jax_export.deserialize(bytearray(content))
        text = exported.mlir_module()
    except Exception as error:  # the reader of flat buffers goes where a damaged file points
        raise ValueError(f"a program in it is damaged ({type(error).__name__}: {str(error)[:200]})") from error
    named = {next(filter(None, found), "") for found in _NAMED.findall(text)}
    refused = sorted(name for name in named if not _ALLOWED.fullmatch(name))
    if refused or len(_NAMED.findall(text)) != text.count("stablehlo.custom_call"):
        raise ValueError(
            f"a program in it calls {', '.join(refused) or 'something without a name'}, which is not allowed for a file"
        )
    return exported
