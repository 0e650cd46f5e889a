"""A table of a pass over programs: the rule for each primitive, by name or by family, or the reason for having none."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .primitives import FAMILIES, family_of, name_of

if TYPE_CHECKING:
    import jax
    import jax.extend


class Table:
    """The rules of one pass. Each primitive of JAX has a rule or a reason for having none; a test checks all of them.

    title: what the pass is, for messages and tests.

    Example:
        >>> from msjax.core.program.tables import Table
        >>> table = Table("doubling")
        >>> @table.rule("add", "sub")
        ... def double(eqn):
        ...     return 2
        >>> table.leave("no product is doubled", "products")
        >>> table.named("sub").__name__, table.named("dot_general"), table.why("dot_general")
        ('double', None, 'no product is doubled')
    """

    def __init__(self, title: str):
        self.title, self._rules, self._reasons = title, {}, {}

    def rule(self, *names):
        """A decorator: the rule for primitives and families of these names."""

        def keep(function):
            self.put(function, *names)
            return function

        return keep

    def put(self, rule: Callable, *names):
        """Set the rule for primitives and families of these names; the rule of a primitive precedes the rule of its
        family.
        """
        for name in _checked(names):
            self._rules[name] = rule
            self._reasons.pop(name, None)

    def leave(self, reason: str, *names):
        """Why primitives and families of these names have no rule."""
        for name in _checked(names):
            self._reasons[name] = reason
            self._rules.pop(name, None)

    def named(self, name: str):
        """The rule for a primitive, or None."""
        for key in (name, family_of(name)):
            if key in self._rules or key in self._reasons:
                return self._rules.get(key)
        return None

    def knows(self, name: str):
        """Whether a rule or a reason was given for just this name, of a primitive or a family."""
        return name in self._rules or name in self._reasons

    def of(self, eqn: "jax.extend.core.JaxprEqn"):
        """The rule for an equation, or None."""
        return self.named(name_of(eqn))

    def why(self, name: str):
        """The reason why a primitive has no rule; None if it has one, or is not in the table."""
        for key in (name, family_of(name)):
            if key in self._rules:
                return None
            if key in self._reasons:
                return self._reasons[key]
        return None


def _checked(names):
    for name in names:
        if name not in FAMILIES and family_of(name) is None:
            raise ValueError(f"{name!r} is neither a primitive nor a family of primitives: name it in primitives.py")
    return names
