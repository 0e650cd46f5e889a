"""Type-checked, not run: mistakes that both checkers find, each named on its line; an ignore that nothing needs is an error."""

from mindspore import nn

nn.Conv2d(3, 8, kernal_size=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
