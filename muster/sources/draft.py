"""A description while a file is brought over: its values, and the parts of the file that it has and that it lacks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from muster.finding import KeyPath, dotted_path
from muster.sources.source import ImportedDescription, InputFile, InvalidFile, LeftOut
from muster.sources.valid_description import is_there, remove, remove_refused
from muster.unknown import UNKNOWN

_LARGEST = 2**63 - 1
_NODES = frozenset({"ComputeResources", "InstanceGroups", "instance_group_settings"})
"""The lists of nodes of some type."""


@dataclass
class Draft:
    """The parts so far."""

    file: InputFile
    cluster: dict[str, Any] = field(default_factory=dict)
    placeholders: list[str] = field(default_factory=list)
    taken: set[KeyPath] = field(default_factory=set)
    """Paths in the file whose values the description has, or that are defaults of the tool."""
    left: dict[KeyPath, str] = field(default_factory=dict)
    """Path in the file -> why the description does not have it."""
    queue_names: list[str | None] = field(default_factory=list)
    """The described name of each queue of a file, in its order; None for one that is left out."""
    pool_names: list[str | None] = field(default_factory=list)
    """The same for each pool of login nodes."""
    origins: dict[KeyPath, KeyPath] = field(default_factory=dict)
    """Path in the description -> the path in the file that it comes from."""

    def take(self, *paths: KeyPath) -> None:
        """Marks parts of the file as described."""
        self.taken.update(paths)

    def leave(self, path: KeyPath, why: str) -> None:
        """Marks a part of the file as left out."""
        self.left.setdefault(path, why)

    def accepted(self, form: Any, value: Any, path: KeyPath) -> bool:
        """Whether a value is valid for a key, as `is_valid`. A known value that is not is left out."""
        why = _refusal(form, value)
        if why and value is not UNKNOWN and value is not None:
            self.leave(path, why)
        return not why

    def placeholder(self, *path: str) -> None:
        """Notes that a value of the description is a placeholder."""
        text = dotted_path(path)
        if text not in self.placeholders:
            self.placeholders.append(text)

    def origin(self, described: KeyPath, path: KeyPath) -> None:
        """Notes where a part of the description comes from."""
        self.origins[described] = path

    def nothing(self, got: str) -> InvalidFile:
        """The error for a file of which nothing can be described, with the first reason for nodes."""
        path, why = next((each for each in self.left.items() if _NODES.intersection(each[0][-2:-1])), ((), ""))
        where = f": {dotted_path(path)}: {why}" if why else ""
        return self.file.fault(path, f"{got}{where}", "write the values that are missing in the file")

    def finished(
        self,
        backend: str,
        region: str | None,
        document: Mapping[str, Any],
        why: Callable[[KeyPath], str],
        name: str = "",
    ) -> ImportedDescription:
        """The description without what is not valid in it.

        Args:
            backend: its backend.
            region: the file's Region.
            document: the file.
            why: returns the reason for a part that nothing took.
            name: the name of the file's cluster.

        Raises:
            InvalidFile: no valid description remains.
        """
        self._prune()
        self.cluster = {key: value for key, value in self.cluster.items() if value not in ({}, [])}
        for path in _untaken(document, (), _tree([*self.taken, *self.left])):
            self.leave(path, why(path))
        left_out = [LeftOut(dotted_path(path), self.file.position(path), text) for path, text in self.left.items()]
        return ImportedDescription(
            backend=backend,
            region=region,
            cluster=self.cluster,
            name=name,
            left_out=tuple(sorted(left_out, key=lambda each: (each.position.line, each.position.column, each.path))),
            placeholders=tuple(each for each in self.placeholders if is_there(self.cluster, each.split("."))),
        )

    def _prune(self) -> None:
        """Leaves out each value that is not valid, and each block without a required value."""
        # The last item of a list first: the others keep their places.
        for path in reversed(list(_unfit(self.cluster, ()))):
            remove(self.cluster, path)
            self.leave(self._origin(path), "the value is not known, or is too large")
        removed, faults = remove_refused(self.cluster, blocks=True)
        for _, finding in faults[:1]:
            got = f"the cluster cannot be described: {finding.where}: {finding.got}"
            raise self.file.fault((), got, finding.remedy)
        for path, finding in removed.items():
            self.leave(self._origin(path), finding.got)

    def _origin(self, described: KeyPath) -> KeyPath:
        for length in range(len(described), -1, -1):
            if described[:length] in self.origins:
                return self.origins[described[:length]]
        return ()


def _unfit(value: Any, path: KeyPath) -> Iterator[KeyPath]:
    """The paths of values that no stack file has: unknown ones, and whole numbers with more than 64 bits."""
    if value is UNKNOWN or (isinstance(value, int) and abs(value) > _LARGEST):
        yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        yield from _unfit(each, (*path, step))


_OPENED = frozenset({"Iam", "CustomActions", "Networking", "LocalStorage", "Imds", "Orchestrator"})
"""Blocks whose keys are left out one by one: each has its own reason."""


def _untaken(value: Any, path: KeyPath, done: "_Tree | None") -> Iterator[KeyPath]:
    """The largest parts of a file that are neither described nor left out yet."""
    if value is None or value in ({}, []) or (done is not None and done.whole):
        return
    if path and done is None and not (path[-1] in _OPENED and isinstance(value, Mapping)):
        yield path
        return
    steps = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        yield from _untaken(each, (*path, step), done.below.get(step) if done else None)


@dataclass
class _Tree:
    """Paths by their steps."""

    whole: bool = False
    below: "dict[str | int, _Tree]" = field(default_factory=dict)


def _tree(paths: Iterable[KeyPath]) -> _Tree:
    root = _Tree()
    for path in paths:
        here = root
        for step in path:
            here = here.below.setdefault(step, _Tree())
        here.whole = True
    return root


def is_valid(form: Any, value: Any) -> bool:
    """Whether a value is valid for a key: ``is_valid(SubnetId, "subnet-0123456789abcdef0")``."""
    return not _refusal(form, value)


def _refusal(form: Any, value: Any) -> str:
    """Why a value is not valid; empty if it is."""
    if value is UNKNOWN:  # pydantic takes it for text
        return "it is not known"
    try:
        TypeAdapter(form).validate_python(value)
    except ValidationError as fault:
        return fault.errors()[0]["msg"].removeprefix("Value error, ").partition(";")[0]
    return ""


def known(value: Any) -> Any:
    """A value; None for an unknown one."""
    return None if value is UNKNOWN else value


def text(value: Any) -> str | None:
    """A text that is known; None for anything else."""
    return value if isinstance(value, str) else None
