"""Helm's program, run with a time limit."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from muster import child_process
from muster.finding import WrongInput


class ChartFault(WrongInput):
    """A chart cannot be rendered; the message has the add-on, the chart, the reason and the remedy."""


class NoChart(Exception):
    """The folder has no chart for this add-on; simulated workloads can replace it."""


RENDERING_SECONDS = 60

_MOST_WORDS = 400


class HelmError(Exception):
    """Helm ended with an error; the message is Helm's, in one line."""


def template(chart: Path, name: str, namespace: str, values: Mapping[str, Any], kubernetes: str) -> str:
    """A release's objects as YAML, with its CRDs, by ``helm`` of version 3 or 4.

    Args:
        chart: its archive or folder.
        name: the release's.
        namespace: of the release.
        values: those that are set.
        kubernetes: ``1.35``.

    Raises:
        ChartFault: there is no Helm on PATH.
        HelmError: it cannot be rendered.
    """
    program = shutil.which("helm")
    if program is None:
        raise ChartFault(
            "Helm is needed to render charts, but it is not installed: install it "
            "(https://helm.sh/docs/intro/install), or omit --charts, to check simulated workloads"
        )
    with TemporaryDirectory(prefix="muster-") as folder:
        given = Path(folder, "values.json")
        given.write_text(json.dumps(values, default=str))  # a date in a user's values is text to Helm
        options = ["--namespace", namespace, "--values", str(given), "--include-crds", "--skip-tests"]
        version = ["--kube-version", f"{kubernetes}.0"]
        # Nothing is left in the user's cache.
        cache = {"HELM_CACHE_HOME": folder, "HELM_REPOSITORY_CACHE": str(Path(folder, "repository"))}
        command = [program, "template", name, str(chart.absolute()), *options, *version]
        return _output(command, {**child_process.environment(), **cache})


def _output(command: Sequence[str], environment: Mapping[str, str]) -> str:
    try:
        ran = child_process.run(command, timeout=RENDERING_SECONDS, env=environment)
    except child_process.TimeoutExpired as fault:
        raise HelmError(f"it did not answer within {RENDERING_SECONDS:.0f} seconds") from fault
    except OSError as fault:
        raise HelmError(f"{command[0]} cannot run: {fault.strerror}") from fault
    if ran.returncode:
        raise HelmError(_words(ran.stderr) or f"it exited with {ran.returncode} without a message")
    return ran.stdout


def _words(text: str) -> str:
    """Helm's error in one line: from its last ``Error:`` on, without its advice on its own flags."""
    error = text.rpartition("Error: ")[2]
    lines = (line.strip() for line in error.splitlines())
    words = " ".join(line for line in lines if line and not line.startswith("Use --debug flag"))
    return words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]}..."
