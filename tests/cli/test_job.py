"""`muster job`: every form of every job can be sent. Words and refusals are in `transcripts/jobs.txt`."""

import ast
import json

import pytest
import yaml

from muster.cli.commands import job
from muster.finding import WrongInput
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from tests.jobs.printed_jobs import kubernetes_cluster

FORMS = sorted((job.name, name) for job in JOBS.values() for name in ("kubectl", *job.forms))


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_every_form_is_written(name: str, form: str) -> None:
    """As text that can be sent: YAML under a comment that says what takes it, or a Python file; else as JSON, too."""
    blueprint, chosen = kubernetes_cluster(name, form), JOBS[name]
    other = chosen.forms.get(form)
    _, text = job.manifest(chosen, blueprint, JobOptions(), other, as_json=False)
    if form == "torchx":
        assert isinstance(ast.parse(text).body[-1], ast.FunctionDef)
        with pytest.raises(WrongInput, match="--json"):
            job.manifest(chosen, blueprint, JobOptions(), other, as_json=True)
        return
    assert text.startswith(f"# {name} for stack tested, printed by `muster job`.\n")
    assert other is None or f"for: {other.sent_by}" in text
    _, as_json = job.manifest(chosen, blueprint, JobOptions(), other, as_json=True)
    read = json.loads(as_json)
    assert (read["items"] if read.get("kind") == "List" else [read]) == list(yaml.safe_load_all(text))
