"""Runs the real engine on a copy of a Pulumi project: no network, no plugins, a state of its own in a temporary folder.

Plain subprocesses, not the Automation API: that one hands the caller's whole environment to the engine and hides what
was printed behind exceptions. The engine's events are read from its event log, as the Automation API does.

The copy leaves pyproject.toml behind and has an empty uv.lock, so that `toolchain: uv` does not sync anything, and its
.venv is the environment of the tests. PYTHONPATH names the copy, in place of the editable install that a sync makes.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

from tests.pulumi_engine.provider import StandIn
from tools.binaries import PULUMI

TOOLS_PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"], str(PULUMI.path.parent)))
"""Where `pulumi` is: that on PATH, or the one that `make binaries` builds."""
OWN_LANGUAGE_HOST = shutil.which("pulumi-language-python", path=TOOLS_PATH) is None
"""Whether the tests' host runs programs: the engine has none of Pulumi's."""
MISSING_TOOLS = tuple(tool for tool in ("pulumi", "uv") if shutil.which(tool, path=TOOLS_PATH) is None)
WHY_SKIPPED = f"not there: {', '.join(MISSING_TOOLS)} (`make binaries`); nothing was tried on the real Pulumi engine"

TIMEOUT = 600.0
"""Seconds after which an engine that does not end is stopped, and the test fails."""

_NEVER_COPIED = (
    ".git",
    ".venv",
    "venv",
    "node_modules",
    "__pycache__",
    "*.egg-info",
    ".*_cache",
    ".hypothesis",
    "uv.lock",
)
_NOT_COPIED_FROM_TOP = frozenset({"tests", "build", "dist"})
_OUTER_SETTINGS = (
    "PULUMI_",
    "AWS_",
    "KUBE",
    "HELM_",
    "TF_",
    "MUSTER_",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "UV_PROJECT",
    "COVERAGE_PROCESS",
)


@dataclass(frozen=True)
class Violation:
    """What a policy pack said of a resource."""

    policy: str
    level: str
    urn: str
    message: str
    severity: str


@dataclass(frozen=True)
class Outcome:
    """One run of the engine: its exit code, what it printed, its events, and the state it left."""

    command: tuple[str, ...]
    code: int
    stdout: str
    stderr: str
    events: tuple[dict[str, Any], ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)  # what `pulumi stack export` prints

    @property
    def text(self) -> str:
        return self.stdout + self.stderr

    @cached_property
    def resources(self) -> dict[str, dict[str, Any]]:
        """The state of each resource by URN, without those that wait to be deleted."""
        found = self.state.get("deployment", {}).get("resources", [])
        return {resource["urn"]: resource for resource in found if not resource.get("delete")}

    def one(self, token: str, name: str | None = None) -> dict[str, Any]:
        """The only resource of a type, or of a type and logical name.

        Raises LookupError, with a list of what there is, for none or several.
        """
        found = [
            state
            for urn, state in self.resources.items()
            if state["type"] == token and name in (None, urn.rsplit("::", 1)[-1])
        ]
        if len(found) != 1:
            raise LookupError(
                f"{len(found)} resources are {token} {name or ''}; there are:\n" + "\n".join(self.resources)
            )
        return found[0]

    @property
    def summary(self) -> str:
        """What the engine counted at the end, as in `+ 62 created`."""
        _, _, counted = self.stdout.partition("\nResources:\n")
        lines = (line.strip() for line in counted.splitlines())
        return ", ".join(takewhile(bool, lines))

    @cached_property
    def steps(self) -> dict[str, str]:
        """The operation on each resource by URN: create, update, replace, delete, read, refresh, same."""
        planned: dict[str, str] = {}
        for event in self.events:
            if step := event.get("resourcePreEvent", {}).get("metadata"):
                operation = step["op"]
                if planned.get(step["urn"]) != "replace" and operation not in ("create-replacement", "delete-replaced"):
                    planned[step["urn"]] = operation
        return planned

    @property
    def changes(self) -> dict[str, str]:
        """The operations that change something."""
        return {urn: operation for urn, operation in self.steps.items() if operation not in ("same", "read", "refresh")}

    def differences(self, urn: str) -> frozenset[str]:
        """The inputs of a resource that its step changes, by their top-level names."""
        steps = (event.get("resourcePreEvent", {}).get("metadata", {}) for event in self.events)
        return frozenset(name for step in steps if step.get("urn") == urn for name in step.get("diffs") or ())

    def inputs(self, urn: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The inputs of a resource before its step and after it; nothing where it was not, or will not be."""
        metadata = [event.get("resourcePreEvent", {}).get("metadata", {}) for event in self.events]
        (step, *_) = [each for each in metadata if each.get("urn") == urn]
        return tuple((step.get(side) or {}).get("inputs") or {} for side in ("old", "new"))  # type: ignore[return-value]  # of two

    @property
    def violations(self) -> list[Violation]:
        """What the packs said, in the order of the events."""
        told = [event["policyEvent"] for event in self.events if "policyEvent" in event]
        return [
            Violation(
                one["policyName"],
                one["enforcementLevel"],
                one.get("resourceUrn", ""),
                one["message"].strip(),
                one.get("severity", ""),
            )
            for one in told
        ]

    def require(self, code: int = 0) -> "Outcome":
        """Itself, if it ended with the given code; else an error with everything that was printed."""
        if self.code != code:
            raise AssertionError(f"{' '.join(self.command)} ended with {self.code}, not {code}:\n{self.text}")
        return self


class Project:
    """A copy of a Pulumi project with one stack in a backend of its own, on the real engine and a stand-in cloud."""

    def __init__(
        self,
        source: Path,
        folder: Path,
        stand_in: StandIn,
        *,
        stack: str = "test",
        config: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        files: Mapping[str, str] | None = None,
        synced: bool = False,
    ) -> None:
        """`source` is the project's folder, `folder` an empty one for the copy and the state.

        A stack whose file the project has keeps that file; `config` adds plain values, keys as `pulumi config set`
        takes them; `files` are texts by path, written over the copy. `synced` keeps pyproject.toml, so that the engine
        has uv install everything anew: slow, and it needs the package registry, but it is what a user's first
        `pulumi up` does.
        """
        self.root = folder / "project"
        self.stack = stack
        self.stand_in = stand_in
        copy(source, self.root, without=() if synced else ("pyproject.toml",))
        for path, text in (files or {}).items():
            (self.root / path).write_text(text, encoding="utf-8")
        own = {} if synced else {"PYTHONPATH": str(self.root)}
        if not synced:
            (self.root / "uv.lock").write_text("version = 1\n", encoding="utf-8")
            (self.root / ".venv").symlink_to(sys.prefix)
        (folder / "state").mkdir()
        self._folder = folder
        self._runs = 0
        self.environment = engine_environment(folder, stand_in) | own | dict(environment or {})
        stand_in.language.environment = self.environment
        self.run("stack", "select", "--create", stack).require()
        for key, value in (config or {}).items():
            self.run("config", "set", "--stack", stack, "--", key, value).require()

    def preview(self, *flags: str, packs: Iterable[Path | str] = (), state: bool = True) -> Outcome:
        """`pulumi preview`; a pack is a folder, relative ones in the copy. Without `state` none is read afterwards."""
        return self._operation("preview", *flags, packs=packs, state=state)

    def up(self, *flags: str, packs: Iterable[Path | str] = (), state: bool = True) -> Outcome:
        """`pulumi up --yes --skip-preview`."""
        return self._operation("up", "--yes", "--skip-preview", *flags, packs=packs, state=state)

    def refresh(self, *flags: str) -> Outcome:
        """`pulumi refresh --yes --skip-preview`."""
        return self._operation("refresh", "--yes", "--skip-preview", *flags)

    def destroy(self, *flags: str, preview: bool = False) -> Outcome:
        """`pulumi destroy --yes`; with `preview`, as a person has it: what that refuses stops everything."""
        return self._operation("destroy", "--yes", *(() if preview else ("--skip-preview",)), *flags)

    def outputs(self) -> dict[str, Any]:
        """The stack's outputs, secrets shown."""
        return dict(
            json.loads(self.run("stack", "output", "--json", "--show-secrets", "--stack", self.stack).require().stdout)
        )

    def export(self) -> dict[str, Any]:
        """The state, as `pulumi stack export` prints it."""
        return dict(json.loads(self.run("stack", "export", "--stack", self.stack).require().stdout))

    def run(self, *arguments: str) -> Outcome:
        """Any `pulumi` command in the copy; its outcome has neither events nor state."""
        return self._run(arguments)

    def _operation(self, *arguments: str, packs: Iterable[Path | str] = (), state: bool = True) -> Outcome:
        chosen = [flag for pack in packs for flag in ("--policy-pack", str(self.root / pack))]
        self._runs += 1
        log = self._folder / f"events-{self._runs}.jsonl"
        flags = ("--stack", self.stack, "--non-interactive", "--color", "never", "--event-log", str(log))
        outcome = self._run((*arguments, *flags, *chosen))
        events = (
            tuple(json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()) if log.exists() else ()
        )
        left = self.export() if state else {}
        return Outcome(outcome.command, outcome.code, outcome.stdout, outcome.stderr, events, left)

    def _run(self, arguments: Sequence[str]) -> Outcome:
        command = ("pulumi", *arguments)
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        return Outcome(command, done.returncode, done.stdout, done.stderr)


def copy(source: Path, target: Path, without: Iterable[str] = ()) -> None:
    """Copies a project, but for what belongs to a checkout or an environment, and the named files of its top folder."""
    dropped = _NOT_COPIED_FROM_TOP | set(without)
    never = shutil.ignore_patterns(*_NEVER_COPIED)

    def ignore(folder: str, names: list[str]) -> set[str]:
        top = Path(folder) == source
        return never(folder, names) | {name for name in names if top and name in dropped}

    shutil.copytree(source, target, ignore=ignore, symlinks=True)


def engine_environment(folder: Path, stand_in: StandIn) -> dict[str, str]:
    """The environment for the engine: the caller's own without anything that Pulumi, AWS or Kubernetes would read."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith(_OUTER_SETTINGS)}
    host = {"PULUMI_DEBUG_LANGUAGES": stand_in.language.attachment} if OWN_LANGUAGE_HOST else {}
    return (
        outer
        | host
        | {
            "PATH": TOOLS_PATH,
            "PULUMI_HOME": str(folder / "home"),
            "PULUMI_BACKEND_URL": f"file://{folder / 'state'}",
            "PULUMI_CONFIG_PASSPHRASE": "no secret in a test",
            "PULUMI_DEBUG_COMMANDS": "true",
            "PULUMI_DEBUG_PROVIDERS": stand_in.attachment,
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "UV_PYTHON_DOWNLOADS": "never",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
    )
