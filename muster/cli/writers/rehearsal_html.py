"""A rehearsal as one HTML page that needs nothing else: no script, no font, no picture from elsewhere, no network.

Every text on it is data and is escaped; what cannot be printed (control characters, marks that turn the direction of
writing) becomes a visible escape.
"""

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from muster.cli.writers import rehearsal_view
from muster.hardware.tables import read_text
from muster.rehearsal.outcome import Outcome, group_causes
from muster.terminal import visible

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATE = "rehearsal.html.jinja"


def write(outcome: Outcome) -> str:
    """The page."""
    return (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            outcome=outcome,
            headline=rehearsal_view.headline(outcome),
            heads=rehearsal_view.node_heads(outcome),
            rows=list(rehearsal_view.node_rows(outcome)),
        )
    )


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(
        loader=FunctionLoader(partial(read_text, package=__package__)),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        causes_of=group_causes,
        pods_of=rehearsal_view.waiting_pods,
        sum_text=rehearsal_view.sum_text,
        program_text=rehearsal_view.program_text,
    )
    return made


def _printable(value: Any) -> Any:
    """A value that a template prints: markup unchanged, and text with a visible escape for each character that cannot
    be printed."""
    return visible(value) if type(value) is str and not value.isprintable() else value
