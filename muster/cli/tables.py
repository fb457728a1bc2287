"""Tables and trees by rich, as text: fitted on a terminal, unfolded when piped. A list of facts needs no rich."""

import io
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from muster.terminal import is_terminal, style, text_of, visible

if TYPE_CHECKING:
    from rich.console import RenderableType

_UNFOLDED = 1000
"""The width, in columns, for tables of rows that other programs may read from a pipe."""
REPORT = 100
"""The width, in columns, for reports that people read, where the output is not a terminal."""


def _width(piped: int) -> int:
    return shutil.get_terminal_size().columns if is_terminal() else piped


def rendered(what: "RenderableType", piped: int = _UNFOLDED) -> str:
    """Anything of rich's, as text for stdout.

    Args:
        what: a table, a tree or a text.
        piped: the width in columns where stdout is not a terminal.
    """
    from rich.console import Console
    from rich.measure import Measurement

    made = io.StringIO()
    console = Console(
        file=made,  # rich writes the buffered text of a stream at the end of a capture
        markup=False,
        emoji=False,
        highlight=False,
        force_terminal=False,
        width=_width(piped),
    )
    # A word that is wider than the terminal is not split: the terminal wraps it, and it can be copied.
    unfolded = console.options.update(width=_UNFOLDED)
    console.width = max(console.width, Measurement.get(console, unfolded, what).minimum)
    console.print(what, crop=False)
    return text_of(line.rstrip() for line in made.getvalue().removesuffix("\n").split("\n"))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], title: str = "", piped: int = _UNFOLDED) -> str:
    """A table with a header. Cells fold between words: no word or id is split.

    Args:
        heads: the headers of the columns.
        rows: the cells.
        title: the line above the table.
        piped: the width in columns where stdout is not a terminal.
    """
    from rich import box
    from rich.table import Table

    safe = [[visible(cell) for cell in row] for row in rows]
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in zip(heads, *safe, strict=True):
        made.add_column(column[0], min_width=max(map(_longest_word, column)), overflow="fold")
    for row in safe:
        made.add_row(*row)
    return _heading(title) + rendered(made, piped)


def facts(rows: Sequence[tuple[str, str]], title: str = "") -> str:
    """Names and values below each other."""
    names = max(len(name) for name, _ in rows) + 2
    folded = textwrap.TextWrapper(_width(_UNFOLDED), break_long_words=False, break_on_hyphens=False)
    folded.subsequent_indent = " " * names
    return _heading(title) + text_of(line for name, value in rows for line in folded.wrap(f"{name:<{names}}{value}"))


def _heading(title: str) -> str:
    return text_of([style().strong(title)]) if title else ""


def _longest_word(text: str) -> int:
    from rich.cells import cell_len

    return max((cell_len(word) for word in text.split()), default=0)
