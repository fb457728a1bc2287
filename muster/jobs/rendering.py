"""Renders the templates of jobs, which are in `templates/`: manifests in YAML, batch scripts, Dockerfiles."""

import json
import shlex
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import Environment, FunctionLoader, StrictUndefined


def render(template: str, **values: Any) -> str:
    """The text of a template.

    Args:
        template: its file name: ``nccl-tests.yaml.jinja``.
        values: what it reads.
    """
    return _environment().get_template(template).render(values)


def render_documents(template: str, **values: Any) -> list[dict[str, Any]]:
    """The YAML documents of a template; arguments as of `render`."""
    return list(yaml.safe_load_all(render(template, **values)))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(_text),
        autoescape=False,  # noqa: S701  (no HTML: values go through the filters below)
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(json=json.dumps, quote=shlex.quote)
    return made


def _text(name: str) -> str:
    return files("muster.jobs").joinpath("templates", name).read_text(encoding="utf-8")
