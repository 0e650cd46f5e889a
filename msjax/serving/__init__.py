"""A network's text over HTTP, in the form that OpenAI's clients speak. Needs `pip install 'msjax[serve]'`."""

from .app import Limits, application

__all__ = ["Limits", "application"]
