"""The Jinja environment of templates that are in a folder `templates/` of a package."""

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from muster.hardware.tables import read_text


def environment(package: str, **filters: Callable[..., Any]) -> Environment:
    """An environment for texts that are not HTML. A template that reads an undefined value fails.

    Args:
        package: the package with the folder: ``muster.jobs``.
        filters: by the names that templates use.
    """
    made = Environment(
        loader=FunctionLoader(lambda name: read_text(f"templates/{name}", package)),
        autoescape=False,  # noqa: S701  (no HTML: values go through the filters)
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(filters)
    return made
