"""A group of commands of which one is meant where none is named: `muster addons p5-odcr`."""

from typing import Any

from typer.core import TyperGroup

from muster.cli.options import _stacks
from muster.fleet.near_miss import nearest


class WithDefault(TyperGroup):
    """The first command of the group is the default; its first argument is a stack.

    A stack that is named like a command is meant by its file, or after the default command's own name.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Puts the default command before what names none."""
        return super().parse_args(ctx, [self._default, *args] if args and self._is_meant(args[0]) else args)

    @property
    def _default(self) -> str:
        return next(iter(self.commands))

    def _is_meant(self, word: str) -> bool:
        if word in self.commands or word in {"--help", "-h"}:
            return False
        # A slip of the pen in a command's name is told as one, unless there is such a stack.
        return nearest(word, self.commands) is None or word in _stacks(word)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Commands, and the default one's stacks."""
        argument = self.commands[self._default].params[0]
        return [*super().shell_complete(ctx, incomplete), *argument.shell_complete(ctx, incomplete)]
