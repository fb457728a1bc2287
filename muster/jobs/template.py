"""Manifests with variables for `envsubst`: ``replicas: $NUM_NODES``, ``${GPU_PER_NODE}``.

GNU gettext's manual, "Invoking the envsubst program": it replaces ``$NAME`` and ``${NAME}`` everywhere in a text, and a
variable without a value becomes empty. Shell variables in a container's script look the same. A rehearsal pulls no
image and runs no command, so only variables elsewhere need a value. `PLACEHOLDER_NUM_NODES` and `__NUM_NODES__` are
variables of manifests for `sed` or kustomize.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.jobs.torchrun import NNODES

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_VARIABLE = re.compile(
    rf"\$(?:\{{(?P<braced>{_NAME})(?::?-(?P<default>[^{{}}$]*))?\}}|(?P<plain>{_NAME}))"
    r"|(?<![A-Za-z0-9_])(?P<word>PLACEHOLDER_[A-Z0-9_]+|__[A-Z][A-Z0-9_]*?__(?![A-Za-z0-9_]))"
)
_OWN = re.compile(rf"\bname:\s*[\"']?({_NAME})")
"""An entry of a container's environment."""
_DOUBLE_BRACES = re.compile(r"\{\{.{0,200}?\}\}|\{%.{0,200}?%\}")
_HELM = re.compile(r"\{\{-?\s*(?:\.(?:Values|Release|Chart|Files)\b|include\s|template\s|define\s|toYaml\s|range\s)")

_NOT_LOOKED_AT = frozenset(
    {
        *("image", "command", "args", "env", "workingDir", "lifecycle", "entrypoint", "runtimeEnvYAML"),
        *("livenessProbe", "readinessProbe", "startupProbe", "rayStartParams", "logMonitoringConfiguration"),
        *("mountPath", "subPath", "path", "data", "stringData", "binaryData"),
    }
)
"""Keys whose texts do not affect a rehearsal: what a container runs, and what it reads."""


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """The place of a variable."""

    document: Mapping[str, Any]
    """The whole object."""
    keys: tuple[str | int, ...]
    """From the object's top down to the text: ``("spec", "replicas")``."""
    text: str
    """The whole text: ``${MEMORY}Gi``."""
    default: str | None = None
    """Of ``${NAME:-default}``."""

    @property
    def key(self) -> str:
        """The nearest key above it that is no index."""
        return next((each for each in reversed(self.keys) if isinstance(each, str)), "")


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with the values that are given in place of their variables; other variables stay as they are."""

    def value(found: re.Match[str]) -> str:
        return values.get(_name(found), found.group())

    return _VARIABLE.sub(value, text)


def growth(text: str, values: Mapping[str, str]) -> int:
    """How many characters the values bring into the text."""
    return sum(len(values.get(_name(each), "")) for each in _VARIABLE.finditer(text))


def variable_names(text: str) -> dict[str, int]:
    """The variables of a YAML text and the first line of each; those of comments do not count."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("#"):
            for each in _VARIABLE.finditer(line):
                found.setdefault(_name(each), number)
    return found


def needed(documents: Iterable[Mapping[str, Any]]) -> dict[str, list[VariablePlace]]:
    """The variables without a value that a rehearsal needs, and their places."""
    found: dict[str, list[VariablePlace]] = {}
    for document in documents:
        for keys, text in _texts(document):
            for each in _VARIABLE.finditer(text):
                found.setdefault(_name(each), []).append(VariablePlace(document, keys, text, each["default"]))
    return found


def of_nnodes(text: str) -> dict[str, list[VariablePlace]]:
    """The variables of a torchrun's `--nnodes` that no container has in its environment: they determine for how many
    pods an elastic job waits."""
    found: dict[str, list[VariablePlace]] = {}
    own = set(_OWN.findall(text))
    for line in text.splitlines():
        for nnodes in NNODES.finditer("" if line.lstrip().startswith("#") else line):
            for each in map(_name, _VARIABLE.finditer(nnodes["written"])):
                if each not in own:
                    found.setdefault(each, []).append(VariablePlace({}, ("--nnodes",), nnodes["written"]))
    return found


def double_braces(documents: Iterable[Mapping[str, Any]]) -> bool:
    """Whether ``{{ ... }}`` is in a text that a rehearsal reads."""
    return any(_DOUBLE_BRACES.search(text) for document in documents for _, text in _texts(document))


def rendered_by(text: str) -> str:
    """The message about a text with ``{{ ... }}``: what it is, its place and the remedy; empty if it has none."""
    found = _DOUBLE_BRACES.search(text)
    if found is None:
        return ""
    line = text.count("\n", 0, found.start()) + 1
    column = found.start() - (text.rfind("\n", 0, found.start()) + 1) + 1
    shown = " ".join(found.group().split())
    if _HELM.search(text):
        return f"{line}:{column}: this is a template of a Helm chart ({shown}); render it first (`helm template`)"
    kind = "a Jinja template" if "{%" in text else "a Helm or Jinja template"
    return f"{line}:{column}: this is {kind} ({shown}); render it first with its tool"


def _name(found: re.Match[str]) -> str:
    return found["braced"] or found["plain"] or found["word"]


def _texts(document: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text of an object that a rehearsal reads, including keys that are not plain words."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), document)]
    while waiting:
        keys, value = waiting.pop()
        if isinstance(value, str):
            yield keys, value
        elif isinstance(value, Mapping):
            yield from ((keys, key) for key in value if isinstance(key, str))
            waiting += [((*keys, key), each) for key, each in value.items() if key not in _NOT_LOOKED_AT]
        elif isinstance(value, list | tuple):
            waiting += [((*keys, index), each) for index, each in enumerate(value)]
