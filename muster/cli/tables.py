"""Tables and trees by rich, as text: coloured and fitted on a terminal, plain and unfolded when piped."""

import io
import shutil
import sys
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table

from muster.cli.terminal import one_line, style_of

_UNFOLDED = 1000
"""Columns of something that is no terminal: lines are cut by whoever reads them, not by us."""


def rendered(what: RenderableType) -> str:
    """Anything of rich's, as text for stdout."""
    terminal = sys.stdout.isatty()
    made = io.StringIO()
    console = Console(
        file=made,  # rich writes what a stream still holds at the end of a capture
        markup=False,
        emoji=False,
        highlight=False,
        force_terminal=terminal,
        no_color=not style_of(sys.stdout).colour,
        width=shutil.get_terminal_size().columns if terminal else _UNFOLDED,
    )
    console.print(what)
    return "".join(f"{line.rstrip()}\n" for line in made.getvalue().splitlines())


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> str:
    """A table with a head."""
    made = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        title=title or None,
        title_justify="left",
        title_style="bold",
    )
    for head in heads:
        made.add_column(head, overflow="fold")
    for row in rows:
        made.add_row(*(one_line(cell) for cell in row))
    return rendered(made)


def facts(rows: Iterable[tuple[str, str]], title: str = "") -> str:
    """Names and values below each other."""
    made = Table(
        box=None, show_header=False, pad_edge=False, title=title or None, title_justify="left", title_style="bold"
    )
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in rows:
        made.add_row(name, one_line(value))
    return rendered(made)
