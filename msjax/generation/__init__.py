"""From a network to text: `generate` for some prompts, `TextGenerator` for requests that come and go."""

from .generate import generate
from .generator import Request, TextGenerator

__all__ = ["TextGenerator", "Request", "generate"]
