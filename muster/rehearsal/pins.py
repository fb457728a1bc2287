"""Which versions a rehearsal runs: read from `tools/<binary>/go.mod`, the only place that says so."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from muster.rehearsal.faults import RehearsalFault

TOOLS = Path(__file__).resolve().parents[2] / "tools"

NAMES = ("etcd", "kube-apiserver", "kube-scheduler", "kube-controller-manager", "kwok", "training-operator")
"""The binaries, in the order they are built."""

OPERATOR = "github.com/kubeflow/training-operator"
"""The training operator's module. Its main is ours (`tools/training-operator/main.go` says why)."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One binary's source."""

    name: str
    package: str
    """What is built: an import path, or ``.`` for our own main."""
    module: str
    version: str
    """Without its v."""
    go: str
    """The oldest Go that builds it."""

    @property
    def folder(self) -> Path:
        """Its module."""
        return TOOLS / self.name

    @property
    def sources(self) -> tuple[Path, ...]:
        """Every file that decides what comes out."""
        return (self.folder / "go.mod", self.folder / "go.sum", *sorted(self.folder.glob("*.go")))


def own_will_do(name: str) -> bool:
    """Whether the user's own program is taken; not a training operator: it is not told where its certificates are."""
    return name != "training-operator"


@cache
def pin(name: str) -> Pin:
    """The pin of one binary.

    Raises:
        RehearsalFault: this is no checkout.
    """
    if not TOOLS.is_dir():
        raise RehearsalFault(
            f"the sources of a rehearsal's programs ({TOOLS}) come with a checkout of Muster only, and this Muster was "
            "installed without; run it from a checkout of Muster"
        )
    text = (TOOLS / name / "go.mod").read_text()
    tool = re.search(r"^tool (\S+)", text, re.MULTILINE)
    required = dict(re.findall(r"^(?:require |\t)(\S+) v(\S+)", text, re.MULTILINE))
    package = tool[1] if tool else OPERATOR
    module = max((each for each in required if _within(package, each)), key=len)
    go = re.search(r"^go (\S+)", text, re.MULTILINE)
    assert go, name
    return Pin(name, tool[1] if tool else ".", module, required[module], go[1])


def _within(package: str, module: str) -> bool:
    return package == module or package.startswith(f"{module}/")


def go_needed() -> str:
    """The oldest Go that builds them all."""
    return max((pin(name).go for name in NAMES), key=lambda version: [int(part) for part in version.split(".")])
