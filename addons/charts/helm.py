"""Helm: its program on PATH, or else its library from PyPI.

Both run in a separate process with a time limit, and give the same errors.
"""

import importlib.util
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from muster import child_process


class ChartFault(Exception):
    """A chart cannot be rendered; the message has the add-on, the chart, the reason and the remedy."""


class NoChart(Exception):
    """The folder has no chart for this add-on; simulated workloads can replace it."""


RENDERING_SECONDS = 60

LIBRARY_KUBERNETES = "1.36"
"""The version for which the library renders (helm-python-sdk 0.2.2); it takes no other."""

_LIBRARY = Path(__file__).with_name("library.py")
_MOST_WORDS = 400


class HelmError(Exception):
    """Helm ended with an error; the message is Helm's, in one line."""


@dataclass(frozen=True, slots=True)
class Release:
    """The release for which a chart is rendered."""

    name: str
    namespace: str
    values: Mapping[str, Any]
    kubernetes: str
    """``1.35``."""


class Helm(Protocol):
    """Renders charts."""

    @property
    def kubernetes(self) -> str | None:
        """The one version for which it can render; None where it takes any."""

    def template(self, chart: Path, release: Release) -> str:
        """The chart's objects as YAML, with its CRDs.

        Raises:
            HelmError: it cannot be rendered.
        """


def helm() -> Helm:
    """The program, or else the library.

    Raises:
        ChartFault: there is none.
    """
    if path := shutil.which("helm"):
        return Program(path)
    if importlib.util.find_spec("helm_python"):
        return Library()
    raise ChartFault(
        "Helm is needed to render charts, but it is not installed: install it (https://helm.sh/docs/intro/install), "
        "or its library (`pip install helm-python-sdk==0.2.2`, 75 MB); or omit --charts, to check simulated workloads"
    )


@dataclass(frozen=True, slots=True)
class Program:
    """``helm``, version 3 or 4."""

    path: str
    kubernetes = None

    def template(self, chart: Path, release: Release) -> str:
        """See `Helm`."""
        with TemporaryDirectory(prefix="muster-") as folder:
            values = Path(folder, "values.json")
            values.write_text(_json(release.values))
            options = ["--namespace", release.namespace, "--values", str(values), "--include-crds", "--skip-tests"]
            version = ["--kube-version", f"{release.kubernetes}.0"]
            return self._run(["template", release.name, str(chart.absolute()), *options, *version])

    def _run(self, arguments: Sequence[str]) -> str:
        with _environment() as environment:
            return _output([self.path, *arguments], environment)


@dataclass(frozen=True, slots=True)
class Library:
    """PyPI's helm-python-sdk, a C library written in Go. In this process it could neither be interrupted nor
    unloaded."""

    kubernetes = LIBRARY_KUBERNETES

    def template(self, chart: Path, release: Release) -> str:
        """See `Helm`."""
        request = {
            "chart": str(chart.absolute()),
            "name": release.name,
            "namespace": release.namespace,
            "values": release.values,
        }
        with _environment() as environment:
            return _output(child_process.python(_LIBRARY), environment, _json(request))


def _output(command: Sequence[str | Path], environment: Mapping[str, str], request: str = "") -> str:
    try:
        ran = child_process.run(command, given=request, timeout=RENDERING_SECONDS, env=environment)
    except child_process.TimeoutExpired as fault:
        raise HelmError(f"it did not answer within {RENDERING_SECONDS:.0f} seconds") from fault
    except OSError as fault:
        raise HelmError(f"{command[0]} cannot run: {fault.strerror}") from fault
    if ran.returncode:
        raise HelmError(_words(ran.stderr) or f"it exited with {ran.returncode} without a message")
    return ran.stdout


def _json(what: Mapping[str, Any]) -> str:
    """A date in a user's values is text to Helm."""
    return json.dumps(what, default=str)


def _words(text: str) -> str:
    """Helm's error in one line: from its last ``Error:`` on, without its advice on its own flags."""
    error = text.rpartition("Error: ")[2]
    lines = (line.strip() for line in error.splitlines())
    words = " ".join(line for line in lines if line and not line.startswith("Use --debug flag"))
    return words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]}..."


@contextmanager
def _environment() -> Iterator[dict[str, str]]:
    """The variables of Helm. Nothing is left in the user's cache."""
    with TemporaryDirectory(prefix="muster-") as folder:
        yield {
            **child_process.environment(),
            "HELM_CACHE_HOME": folder,
            "HELM_REPOSITORY_CACHE": str(Path(folder, "repository")),
        }
