"""Pulumi programs in YAML: Muster evaluates them and registers their resources with the offline monitor. They need no
language host.

The language is that of pulumi-yaml 1.38 (`pkg/pulumiyaml/{run,sort,packages}.go`). pulumi-yaml checks properties with
the schemas of providers; Muster takes them as written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pulumi.runtime.proto import resource_pb2

from muster.config.document import Document, read
from muster.finding import KeyPath
from muster.foreign.project import CannotBeRead, Project, StackConfiguration
from muster.foreign.yaml_expressions import references
from muster.foreign.yaml_resources import PROVIDER, Node, Resources, as_registered, block_of
from muster.foreign.yaml_syntax import ProgramText, function_of, lower_keys, suggest_or
from muster.foreign.yaml_types import REFUSED_TYPES
from muster.foreign.yaml_values import NamedValue, type_noun
from muster.json_text import NotJson, load
from muster.offline.monitor import OfflineMonitor
from muster.unknown import UNKNOWN
from muster.wire import UNKNOWN_TEXT, secret, struct

_MAIN = ("Main.json", "Main.yaml", "Pulumi.yaml")
"""The file names of a program, in the order in which they are tried."""
_STACK = "pulumi:pulumi:Stack"
_PULUMI = "pulumi"
"""The name in `${pulumi.stack}`."""
_OF_A_RESOURCE = ("type", "name", "defaultProvider", "properties", "options", "get")


_TYPES: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "number": (int, float),
    "bool": (bool,),
    "object": (dict,),
    "list": (list,),
    "array": (list,),
}
"""The beginning of a configuration type (`List<String>`, `integer`) -> the Python types of its values. Any value can be
a string."""


def run_yaml_program(
    project: Project, stack: str, settings: StackConfiguration, monitor: OfflineMonitor
) -> tuple[str, ...]:
    """Registers the resources of a program in YAML, and returns the warnings about it.

    Raises:
        CannotBeRead: the program is wrong, or Muster does not support it. The message states the place.
    """
    program = _Program(project, stack, monitor)
    program.run(settings)
    return tuple(program.complaints)


class _Program:
    def __init__(self, project: Project, stack: str, monitor: OfflineMonitor) -> None:
        self._project, self._stack, self._monitor = project, stack, monitor
        document = _document(project)
        self._source = ProgramText(document)
        self._data = block_of(self._source, document.data, (), "the program")
        self._resources = Resources(project, self._source, monitor)
        self._evaluator = self._resources.evaluator

    @property
    def complaints(self) -> list[str]:
        return self._resources.complaints

    def run(self, settings: StackConfiguration) -> None:
        names = self._evaluator.names
        names |= {
            _PULUMI: NamedValue(
                {
                    "cwd": str(self._project.folder),
                    "organization": "organization",
                    "project": self._project.name,
                    "rootDirectory": str(self._project.root),
                    "stack": self._stack,
                }
            )
        }
        nodes = {each.name: each for each in self._nodes()}
        self._configure(settings)
        self._find_default_providers(nodes)
        ordered = self._ordered(nodes)
        self._resources.root = self._register_stack()
        for node in ordered:
            made = (
                self._resources.register(node)
                if node.what == "resource"
                else self._evaluator.evaluate(node.value, node.path)
            )
            names[node.name] = made
        section, outputs = self._section("outputs")
        exported = {
            key: _marked(each, self._evaluator.evaluate(each, (section, key)).value) for key, each in outputs.items()
        }
        request = resource_pb2.RegisterResourceOutputsRequest(
            urn=self._resources.root, outputs=struct(as_registered(exported))
        )
        self._monitor.RegisterResourceOutputs(request)

    def _section(self, name: str) -> tuple[str, Mapping[str, Any]]:
        """The name of a section as the program writes it (upper or lower case), and the block below it."""
        written, value = lower_keys(self._data).get(name, (name, None))
        return written, block_of(self._source, value, (written,), written)

    def _nodes(self) -> Iterator[Node]:
        seen: dict[str, KeyPath] = {}
        for section, what in (("resources", "resource"), ("variables", "variable")):
            written, block = self._section(section)
            for name, value in block.items():
                path = (written, name)
                if name in seen or name == _PULUMI:
                    got = f"the name '{name}' is already used by {'.'.join(map(str, seen.get(name, ('pulumi',))))}"
                    raise self._source.fault(path, got, "choose a different name", key=True)
                seen[name] = path
                yield Node(name, what, value, path)
        for section in ("config", "configuration"):
            written, block = self._section(section)
            for name in block:
                if name in seen:
                    got = f"the name '{name}' is already used by {'.'.join(map(str, seen[name]))}"
                    raise self._source.fault((written, name), got, "choose a different name", key=True)

    def _find_default_providers(self, nodes: Mapping[str, Node]) -> None:
        for node in nodes.values():
            below = lower_keys(node.value) if node.what == "resource" and isinstance(node.value, Mapping) else {}
            key, flag = below.get("defaultprovider", ("", None))
            type_ = below.get("type", ("", ""))[1]
            if flag is not None and not isinstance(flag, bool):
                raise self._source.fault(
                    (*node.path, key), f"defaultProvider is {type_noun(flag)}", "write true or false"
                )
            if flag is not None and not str(type_).startswith(PROVIDER):
                remedy = "remove it, or give the resource a type pulumi:providers:..."
                raise self._source.fault(
                    (*node.path, key), "only a provider can be a default provider", remedy, key=True
                )
            if flag:
                self._resources.defaults[str(type_).removeprefix(PROVIDER)] = node.name

    def _ordered(self, nodes: Mapping[str, Node]) -> list[Node]:
        """The nodes in the order of their dependencies. All errors in names and functions are reported at once."""
        faults: list[CannotBeRead] = []
        needs = {name: self._needs(node, nodes, faults) for name, node in nodes.items()}
        section, outputs = self._section("outputs")
        for _ in self._known(references(self._source, outputs, (section,), faults), nodes, faults):
            pass
        if faults:
            raise CannotBeRead("\n".join(dict.fromkeys(map(str, faults))))
        ordered: dict[str, Node] = {}
        for name in nodes:
            self._visit(name, nodes, needs, ordered)
        return list(ordered.values())

    def _visit(
        self,
        name: str,
        nodes: Mapping[str, Node],
        needs: Mapping[str, Mapping[str, KeyPath]],
        ordered: dict[str, Node],
    ) -> None:
        """Puts a name after the names that it needs. Not recursive: a chain may have thousands of names."""
        way = {name: iter(needs[name])} if name not in ordered else {}
        while way:
            last = next(reversed(way))
            needed = next((each for each in way[last] if each not in ordered), None)
            if needed is None:
                ordered[last] = nodes[last]
                del way[last]
            elif needed in way:
                circle = [*list(way)[list(way).index(needed) :], needed]
                names = ", which needs ".join(f"'{each}'" for each in _short(circle))
                remedy = "remove one of the references"
                raise self._source.fault(needs[last][needed], f"the references form a cycle: {names}", remedy)
            else:
                way[needed] = iter(needs[needed])

    def _needs(self, node: Node, nodes: Mapping[str, Node], faults: list[CannotBeRead]) -> dict[str, KeyPath]:
        """The names that a node needs, each with the place of its first reference."""
        needed: dict[str, KeyPath] = {}
        for name, path in self._known(references(self._source, node.value, node.path, faults), nodes, faults):
            needed.setdefault(name, path)
        if node.what == "resource":
            faults += self._wrong_resource(node)
        if (default := self._resources.default_provider(node)) and default != node.name:
            needed.setdefault(default, node.path)
        return needed

    def _known(
        self, found: Iterable[tuple[str, KeyPath]], nodes: Mapping[str, Node], faults: list[CannotBeRead]
    ) -> Iterator[tuple[str, KeyPath]]:
        names = self._evaluator.names
        for name, path in found:
            if name in nodes:
                yield name, path
            elif name not in names:
                got = f"no resource, variable or configuration value is called '{name}'"
                otherwise = f"set it in {self._stack_file()}" if ":" in name else "declare it, or correct the name"
                remedy = suggest_or(name, [*nodes, *names], otherwise)
                faults.append(self._source.fault(path, got, remedy))

    def _wrong_resource(self, node: Node) -> Iterator[CannotBeRead]:
        if not isinstance(node.value, Mapping):
            yield self._source.fault(
                node.path,
                f"resource '{node.name}' is {type_noun(node.value)}, not a block of keys",
                "write type: below it",
            )
            return
        below = lower_keys(node.value)
        key, type_ = below.get("type", ("type", None))
        remedy = "write a type, such as type: aws:s3:Bucket"
        if type_ is None:
            yield self._source.fault(node.path, f"resource '{node.name}' has no type", remedy, key=True)
        elif not isinstance(type_, str) or type_.count(":") not in (1, 2) or not all(type_.split(":")):
            shown = f"'{type_}'" if isinstance(type_, str) else type_noun(type_)
            yield self._source.fault(
                (*node.path, key), f"the type of '{node.name}' is {shown}, which is not a resource type", remedy
            )
        elif type_ in REFUSED_TYPES:
            yield self._source.fault((*node.path, key), f"programs in YAML cannot have {type_}", REFUSED_TYPES[type_])
        if "get" in below and "properties" in below:
            got = f"resource '{node.name}' has both get: and properties:"
            remedy = "keep one of them: get: reads an existing resource"
            yield self._source.fault((*node.path, below["get"][0]), got, remedy, key=True)
        known = {each.lower() for each in _OF_A_RESOURCE}
        for small, (written, _) in below.items():
            if small not in known:
                got = f"'{written}' is not a key of a resource"
                remedy = suggest_or(written, _OF_A_RESOURCE, f"use one of {', '.join(_OF_A_RESOURCE)}")
                yield self._source.fault((*node.path, written), got, remedy, key=True)

    def _configure(self, settings: StackConfiguration) -> None:
        names = self._evaluator.names
        own = f"{self._project.name}:"
        given = {key.removeprefix(own): _adjusted(text) for key, text in settings.values.items()}
        for section in ("config", "configuration"):
            written, block = self._section(section)
            for name, declared in block.items():
                path = (written, name)
                below = lower_keys(declared) if isinstance(declared, Mapping) else {"default": ("", declared)}
                short = name.removeprefix(own)
                full = short if ":" in short else f"{own}{short}"
                type_ = below.get("type", ("", None))[1]
                text = settings.values.get(full)
                if text is not None:
                    given[short] = self._typed(text, type_, path)
                    continue
                default = next((below[key] for key in ("default", "value") if key in below), None)
                if default is None or default[1] is None:
                    got = f"stack '{self._stack}' does not set '{short}', which the program requires"
                    remedy = f"set it in {self._stack_file()}"
                    raise self._source.fault(path, got, remedy, key=True)
                names |= {key: NamedValue(value) for key, value in given.items() if key not in names}
                where = (*path, default[0]) if default[0] else path
                self._refuse_unknown_names(default[1], where)
                given[short] = self._evaluator.evaluate(default[1], where).value
        for key, value in given.items():
            names[key] = NamedValue(value)
            names.setdefault(f"{own}{key}", NamedValue(value))

    def _stack_file(self) -> Path:
        return self._project.stacks_folder / f"Pulumi.{self._stack}.yaml"

    def _refuse_unknown_names(self, value: Any, path: KeyPath) -> None:
        faults: list[CannotBeRead] = []
        for _ in self._known(references(self._source, value, path, faults), {}, faults):
            pass
        if faults:
            raise faults[0]

    def _typed(self, text: str, type_: Any, path: KeyPath) -> Any:
        """A value of the stack's configuration, in the type that the program declares."""
        if text == UNKNOWN_TEXT:
            return UNKNOWN
        wanted = str(type_ or "").lower()
        value = text if wanted == "string" else _adjusted(text)
        fits = next((kinds for name, kinds in _TYPES.items() if wanted.startswith(name)), None)
        if fits and (not isinstance(value, fits) or (isinstance(value, bool) and bool not in fits)):
            got = f"the stack sets '{path[-1]}' to {type_noun(value)}, but the program declares the type {type_}"
            raise self._source.fault(path, got, "change the value or the type", key=True)
        return value

    def _register_stack(self) -> str:
        name = f"{self._project.name}-{self._stack}"
        request = resource_pb2.RegisterResourceRequest(type=_STACK, name=name)
        return str(self._monitor.RegisterResource(request).urn)


def _document(project: Project) -> Document:
    """The program's text: a separate file, or the project file."""
    if "compiler" in project.options:
        where = ProgramText(project.document).place(("runtime",))
        remedy = "run the compiler, save its output as Main.yaml, and check that"
        raise CannotBeRead(f"{where}: a compiler generates the program, and Muster does not run it; {remedy}")
    file = next((each for name in _MAIN if (each := project.folder / name).exists()), project.file)
    sound = file == project.file and not project.document.faults
    document = project.document if sound else read(file, as_go=True)
    for _, at, finding in document.faults:
        raise CannotBeRead(f"{file}:{at.line}:{at.column}: {finding.got}; {finding.remedy}")
    return document


def _short(circle: list[str]) -> list[str]:
    """A cycle, shortened to its first and last names if it is long."""
    return circle if len(circle) <= 6 else [*circle[:3], "...", *circle[-2:]]  # noqa: PLR2004 - some names


_WHOLE, _BROKEN = re.compile(r"-?(0|[1-9][0-9]{0,15})"), re.compile(r"-?(0|[1-9][0-9]{0,15})\.[0-9]{1,15}")


def _adjusted(text: str) -> Any:
    """A configuration value as the engine passes it: numbers, Booleans and structures are not strings."""
    if _WHOLE.fullmatch(text) or _BROKEN.fullmatch(text) or text in ("true", "false") or text[:1] in ("{", "["):
        try:
            return _masked(load(text))
        except NotJson:
            return text
    return _masked(text)


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _masked(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_masked(each) for each in value]
    return UNKNOWN if value == UNKNOWN_TEXT else value


def _marked(written: Any, value: Any) -> Any:
    """An output's value, marked as secret where it calls `fn::secret`."""
    return secret(value) if (function_of(written) or "").lower() == "fn::secret" else value
