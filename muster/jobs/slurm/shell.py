"""Lines of shell."""

import shlex
from collections.abc import Mapping

STRICT = ("set -euo pipefail",)
"""A script ends at the first command that fails."""

FIRST_NODE = 'first_node=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed -n 1p)'
"""The node that processes meet at. Not by `head`: it closes the pipe, and pipefail would end the script."""


def command(first: str, *more: str) -> tuple[str, ...]:
    """One command over several lines; each part is shell text, as it stands."""
    parts = (first, *(f"  {each}" for each in more))
    return (*(f"{each} \\" for each in parts[:-1]), parts[-1])


def exports(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Variables, by their plain values."""
    return tuple(f"export {name}={shlex.quote(value)}" for name, value in environment.items())


def words(arguments: tuple[str, ...]) -> str:
    """Arguments as shell words."""
    return " ".join(map(shlex.quote, arguments))


def stop_without(test: str, said: str) -> tuple[str, ...]:
    """Ends a script that would fail later, with words.

    Args:
        test: what must hold: ``-e "$image"``.
        said: what is missing, in double quotes' shell text.
    """
    return (f"if [ ! {test} ]; then", f'  echo "{said}" >&2', "  exit 1", "fi")
