"""Renders the templates of jobs, which are in `templates/`: manifests in YAML, batch scripts, Dockerfiles."""

import json
import shlex
from functools import cache
from typing import Any

import yaml
from jinja2 import Environment

from muster.text_templates import environment


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
    return environment("muster.jobs", json=json.dumps, quote=shlex.quote)
