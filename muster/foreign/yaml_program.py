"""Pulumi programs in YAML: evaluated here, and registered with the offline monitor. They need no language host.

The language is that of pulumi-yaml 1.38 (`pkg/pulumiyaml/{run,sort,packages}.go`). It has the schemas of providers at
hand, and we have not: whether a type exists is asked of the SDKs that Muster has, and properties are taken as written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pulumi.runtime.proto import alias_pb2, resource_pb2

from muster.config.document import Document, read
from muster.finding import KeyPath
from muster.fleet.unknown import UNKNOWN
from muster.foreign.project import CannotBeRead, Project, StackConfiguration
from muster.foreign.yaml_expressions import (
    Evaluator,
    InvokeCall,
    NamedValue,
    ProgramText,
    RegisteredResource,
    as_sequence,
    function_of,
    is_invoke,
    lower_keys,
    references,
    suggest_or,
    token_of,
    type_noun,
)
from muster.json_text import NotJson, load
from muster.message_text import closest_match
from muster.offline.eks_component import NotModelled
from muster.offline.monitor import DuplicateName, OfflineMonitor
from muster.wire import RESOURCE, SECRET, SIGNATURE, UNKNOWN_TEXT, plain, resource_reference, secret, struct

_MAIN = ("Main.json", "Main.yaml", "Pulumi.yaml")
"""The order in which the program is looked for in its folder."""
_STACK = "pulumi:pulumi:Stack"
_STACK_REFERENCE = "pulumi:pulumi:StackReference"
_PROVIDER = "pulumi:providers:"
_PULUMI = "pulumi"
"""What `${pulumi.stack}` begins with."""
_OF_A_RESOURCE = ("type", "name", "defaultProvider", "properties", "options", "get")
_OPTIONS = (
    "additionalSecretOutputs",
    "aliases",
    "customTimeouts",
    "deleteBeforeReplace",
    "deletedWith",
    "dependsOn",
    "envVarMappings",
    "hideDiffs",
    "ignoreChanges",
    "import",
    "parent",
    "pluginDownloadURL",
    "protect",
    "provider",
    "providers",
    "replaceOnChanges",
    "replaceWith",
    "replacementTrigger",
    "retainOnDelete",
    "version",
)
_PLAIN_OPTIONS = {
    "additionalSecretOutputs": "additionalSecretOutputs",
    "deleteBeforeReplace": "deleteBeforeReplace",
    "ignoreChanges": "ignoreChanges",
    "import": "importId",
    "protect": "protect",
    "replaceOnChanges": "replaceOnChanges",
    "retainOnDelete": "retainOnDelete",
    "version": "version",
}
"""Option -> field of the request."""
_LISTS = frozenset({"additionalSecretOutputs", "ignoreChanges", "replaceOnChanges"})
_TRUTHS = frozenset({"deleteBeforeReplace", "protect", "retainOnDelete"})

_MODULES_AS_WRITTEN = frozenset(
    {
        "aws-apigateway",
        "aws-iam",
        "aws-native",
        "awsx",
        "azure-native",
        "command",
        "docker-build",
        "eks",
        "google-native",
        "kubernetes",
        "pulumi",
        "pulumiservice",
        "std",
        "synced-folder",
    }
)
"""Packages whose types are `pkg:module:Type`; those of packages that bridge Terraform are `pkg:module/type:Type`."""
_SDKS = {"aws": "pulumi_aws", "aws-native": "pulumi_aws_native", "eks": "pulumi_eks", "kubernetes": "pulumi_kubernetes"}
"""The packages whose types Muster's own SDKs list."""
_COMPONENTS = frozenset(
    {
        "kubernetes:helm.sh/v4:Chart",
        "kubernetes:kustomize/v2:Directory",
        "kubernetes:yaml/v2:ConfigFile",
        "kubernetes:yaml/v2:ConfigGroup",
    }
)
_OF_COMPONENTS = frozenset({"aws-apigateway", "aws-iam", "awsx", "eks", "synced-folder"})
"""Packages of components. What is left of these (`eks:index:...`) has a provider of its own, too, and no children."""
_REFUSED = {
    "kubernetes:apiextensions.k8s.io:CustomResource": "write the resource by its own type",
    "kubernetes:helm.sh/v2:Chart": "take kubernetes:helm.sh/v4:Chart",
    "kubernetes:helm.sh/v3:Chart": "take kubernetes:helm.sh/v4:Chart",
    "kubernetes:kustomize:Directory": "take kubernetes:kustomize/v2:Directory",
    "kubernetes:yaml:ConfigFile": "take kubernetes:yaml/v2:ConfigFile",
    "kubernetes:yaml:ConfigGroup": "take kubernetes:yaml/v2:ConfigGroup",
}
"""What pulumi-yaml refuses, and what to do."""


_TYPES: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "number": (int, float),
    "bool": (bool,),
    "object": (dict,),
    "list": (list,),
    "array": (list,),
}
"""How types of the configuration begin (`List<String>`, `integer`), and what a value of them is here. Texts are any."""


def run_yaml_program(
    project: Project, stack: str, settings: StackConfiguration, monitor: OfflineMonitor
) -> tuple[str, ...]:
    """Registers what a program in YAML has, and gives what to tell of it.

    Raises:
        CannotBeRead: the program is not right, or not read here; the message has the place.
    """
    program = _Program(project, stack, monitor)
    program.run(settings)
    return tuple(program.complaints)


@dataclass(frozen=True, slots=True)
class _Node:
    """One name of the program: what it is, and where."""

    name: str
    what: str
    value: Any
    path: KeyPath


class _Program:
    def __init__(self, project: Project, stack: str, monitor: OfflineMonitor) -> None:
        self._project, self._stack, self._monitor = project, stack, monitor
        document = _document(project)
        self._source = ProgramText(document)
        self._data = _block(self._source, document.data, (), "the program")
        self._evaluator = Evaluator(self._source, project.root, project.folder, self._ask, self._other_stack)
        self._defaults: dict[str, str] = {}
        """Package -> the name of its default provider."""
        self._root = ""
        self._others: dict[str, RegisteredResource] = {}
        self.complaints: list[str] = []

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
        self._root = self._register_stack()
        for node in ordered:
            made = self._resource(node) if node.what == "resource" else self._evaluator.held(node.value, node.path)
            names[node.name] = made
        section, outputs = self._section("outputs")
        exported = {
            key: _marked(each, self._evaluator.held(each, (section, key)).value) for key, each in outputs.items()
        }
        request = resource_pb2.RegisterResourceOutputsRequest(urn=self._root, outputs=struct(_as_registered(exported)))
        self._monitor.RegisterResourceOutputs(request)

    # What there is.

    def _section(self, name: str) -> tuple[str, Mapping[str, Any]]:
        """The name of a section as the program writes it, in whatever letters, and what is below it."""
        written, value = lower_keys(self._data).get(name, (name, None))
        return written, _block(self._source, value, (written,), written)

    def _nodes(self) -> Iterator[_Node]:
        seen: dict[str, KeyPath] = {}
        for section, what in (("resources", "resource"), ("variables", "variable")):
            written, block = self._section(section)
            for name, value in block.items():
                path = (written, name)
                if name in seen or name == _PULUMI:
                    got = f"'{name}' is a name already ({'.'.join(map(str, seen.get(name, ('pulumi',))))})"
                    raise self._source.fault(path, got, "give it another name", key=True)
                seen[name] = path
                yield _Node(name, what, value, path)
        for section in ("config", "configuration"):
            written, block = self._section(section)
            for name in block:
                if name in seen:
                    got = f"'{name}' is a name already ({'.'.join(map(str, seen[name]))})"
                    raise self._source.fault((written, name), got, "give it another name", key=True)

    def _find_default_providers(self, nodes: Mapping[str, _Node]) -> None:
        for node in nodes.values():
            below = lower_keys(node.value) if node.what == "resource" and isinstance(node.value, Mapping) else {}
            key, said = below.get("defaultprovider", ("", None))
            type_ = below.get("type", ("", ""))[1]
            if said is not None and not isinstance(said, bool):
                raise self._source.fault(
                    (*node.path, key), f"defaultProvider is {type_noun(said)}", "write true or false"
                )
            if said is not None and not str(type_).startswith(_PROVIDER):
                remedy = "take it out, or give the resource a type pulumi:providers:..."
                raise self._source.fault((*node.path, key), "only a provider is a default provider", remedy, key=True)
            if said:
                self._defaults[str(type_).removeprefix(_PROVIDER)] = node.name

    def _ordered(self, nodes: Mapping[str, _Node]) -> list[_Node]:
        """What is needed first, first; all that is wrong with names and functions at once."""
        faults: list[CannotBeRead] = []
        needs = {name: self._needs(node, nodes, faults) for name, node in nodes.items()}
        section, outputs = self._section("outputs")
        for _ in self._known(references(self._source, outputs, (section,), faults), nodes, faults):
            pass
        if faults:
            raise CannotBeRead("\n".join(dict.fromkeys(map(str, faults))))
        ordered: dict[str, _Node] = {}
        for name in nodes:
            self._visit(name, nodes, needs, ordered)
        return list(ordered.values())

    def _visit(
        self,
        name: str,
        nodes: Mapping[str, _Node],
        needs: Mapping[str, Mapping[str, KeyPath]],
        ordered: dict[str, _Node],
    ) -> None:
        """Puts a name behind what it needs. No recursion: thousands may hang on each other in a row."""
        way = {name: iter(needs[name])} if name not in ordered else {}
        while way:
            last = next(reversed(way))
            needed = next((each for each in way[last] if each not in ordered), None)
            if needed is None:
                ordered[last] = nodes[last]
                del way[last]
            elif needed in way:
                circle = [*list(way)[list(way).index(needed) :], needed]
                said = ", which needs ".join(f"'{each}'" for each in _short(circle))
                remedy = "take one of the references out"
                raise self._source.fault(needs[last][needed], f"names go in a circle: {said}", remedy)
            else:
                way[needed] = iter(needs[needed])

    def _needs(self, node: _Node, nodes: Mapping[str, _Node], faults: list[CannotBeRead]) -> dict[str, KeyPath]:
        """The names that one needs, each with the place of its first reference."""
        needed: dict[str, KeyPath] = {}
        for name, path in self._known(references(self._source, node.value, node.path, faults), nodes, faults):
            needed.setdefault(name, path)
        if node.what == "resource":
            faults += self._wrong_resource(node)
        if (default := self._default_provider(node)) and default != node.name:
            needed.setdefault(default, node.path)
        return needed

    def _known(
        self, found: Iterable[tuple[str, KeyPath]], nodes: Mapping[str, _Node], faults: list[CannotBeRead]
    ) -> Iterator[tuple[str, KeyPath]]:
        names = self._evaluator.names
        for name, path in found:
            if name in nodes:
                yield name, path
            elif name not in names:
                got = f"there is no resource, variable or configuration '{name}'"
                otherwise = f"write it into {self._stack_file()}" if ":" in name else "declare it, or mend the name"
                remedy = suggest_or(name, [*nodes, *names], otherwise)
                faults.append(self._source.fault(path, got, remedy))

    def _default_provider(self, node: _Node) -> str:
        """The name of the default provider of a resource, or of a variable that is a question."""
        if node.what != "resource":
            return self._defaults.get(token_of(node.value).partition(":")[0], "") if is_invoke(node.value) else ""
        below = lower_keys(node.value) if isinstance(node.value, Mapping) else {}
        type_ = below.get("type", ("", ""))[1]
        package = type_.partition(":")[0] if isinstance(type_, str) and not type_.startswith(_PROVIDER) else ""
        return self._defaults.get(package, "")

    def _wrong_resource(self, node: _Node) -> Iterator[CannotBeRead]:
        if not isinstance(node.value, Mapping):
            yield self._source.fault(
                node.path, f"resource '{node.name}' is {type_noun(node.value)}", "write type: below it"
            )
            return
        below = lower_keys(node.value)
        key, type_ = below.get("type", ("type", None))
        remedy = "write one, such as type: aws:s3:Bucket"
        if type_ is None:
            yield self._source.fault(node.path, f"resource '{node.name}' has no type", remedy, key=True)
        elif not isinstance(type_, str) or type_.count(":") not in (1, 2) or not all(type_.split(":")):
            shown = f"'{type_}'" if isinstance(type_, str) else type_noun(type_)
            yield self._source.fault((*node.path, key), f"the type of '{node.name}' is {shown}", remedy)
        elif type_ in _REFUSED:
            yield self._source.fault((*node.path, key), f"programs in YAML cannot have {type_}", _REFUSED[type_])
        if "get" in below and "properties" in below:
            got = f"resource '{node.name}' has get: and properties:"
            yield self._source.fault((*node.path, below["get"][0]), got, "keep one: get reads what exists", key=True)
        known = {each.lower() for each in _OF_A_RESOURCE}
        for small, (written, _) in below.items():
            if small not in known:
                got = f"there is no key '{written}' of a resource"
                remedy = suggest_or(written, _OF_A_RESOURCE, f"there are {', '.join(_OF_A_RESOURCE)}")
                yield self._source.fault((*node.path, written), got, remedy, key=True)

    # Configuration.

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
                    got = f"stack '{self._stack}' has no value of '{short}', which the program asks for"
                    remedy = f"write it into {self._stack_file()}"
                    raise self._source.fault(path, got, remedy, key=True)
                names |= {key: NamedValue(value) for key, value in given.items() if key not in names}
                where = (*path, default[0]) if default[0] else path
                self._refuse_strangers(default[1], where)
                given[short] = self._evaluator.held(default[1], where).value
        for key, value in given.items():
            names[key] = NamedValue(value)
            names.setdefault(f"{own}{key}", NamedValue(value))

    def _stack_file(self) -> Path:
        return self._project.stacks_folder / f"Pulumi.{self._stack}.yaml"

    def _refuse_strangers(self, value: Any, path: KeyPath) -> None:
        faults: list[CannotBeRead] = []
        for _ in self._known(references(self._source, value, path, faults), {}, faults):
            pass
        if faults:
            raise faults[0]

    def _typed(self, text: str, type_: Any, path: KeyPath) -> Any:
        """A value of the stack's, as the type that the program asks for."""
        if text == UNKNOWN_TEXT:
            return UNKNOWN
        wanted = str(type_ or "").lower()
        value = text if wanted == "string" else _adjusted(text)
        fits = next((kinds for name, kinds in _TYPES.items() if wanted.startswith(name)), None)
        if fits and (not isinstance(value, fits) or (isinstance(value, bool) and bool not in fits)):
            got = f"the stack's value of '{path[-1]}' is {type_noun(value)}, and the program asks for {type_}"
            raise self._source.fault(path, got, "change one of the two", key=True)
        return value

    # Registrations.

    def _register_stack(self) -> str:
        name = f"{self._project.name}-{self._stack}"
        request = resource_pb2.RegisterResourceRequest(type=_STACK, name=name)
        return str(self._monitor.RegisterResource(request).urn)

    def _resource(self, node: _Node) -> NamedValue:
        below = lower_keys(node.value)
        written = str(below["type"][1])
        local = written.partition(":")[0] in _local_packages(self._project)
        type_, unlisted = canonical_type(written, bridged=not local)
        name = self._name(node, below)
        options = self._options(node, below)
        provider, providers = self._providers(node, type_, options)
        common: dict[str, Any] = {
            "type": type_,
            "name": name,
            "parent": self._parent(options, node),
            "provider": provider,
        }
        if type_ == _STACK_REFERENCE or "get" in below:
            return self._read(node, below, common, providers)
        inputs, uses = self._properties(node, below)
        waits = {each.urn for each in self._made(options, "dependsOn", node)}
        remote = local or _is_component(type_)
        request = resource_pb2.RegisterResourceRequest(
            **common,
            custom=not remote,
            remote=remote,
            providers=providers if remote else {},
            object=struct(_as_registered({key: each for key, each in inputs.items() if each is not None})),
            dependencies=sorted({*waits, *(urn for urns in uses.values() for urn in urns)}),
            propertyDependencies={
                key: resource_pb2.RegisterResourceRequest.PropertyDependencies(urns=sorted(urns))
                for key, urns in uses.items()
                if urns
            },
            aliases=list(self._aliases(options, node)),
            deletedWith=next((each.urn for each in self._made(options, "deletedWith", node)), ""),
            **self._plain_options(options, node),
        )
        try:
            urn = str(self._monitor.RegisterResource(request).urn)
        except DuplicateName:
            got = f"two resources of type {type_} are called '{name}'"
            raise self._source.fault(node.path, got, "give one of them another name", key=True) from None
        except (AttributeError, LookupError, TypeError, ValueError) as fault:
            # pulumi-yaml knows the schema, and would have refused a property of the wrong kind.
            got = f"{type_} does not take these properties ({type(fault).__name__})"
            raise self._source.fault(node.path, got, "compare them with the type's documentation", key=True) from fault
        if unlisted:
            self._monitor.not_modelled(urn, unlisted)
        return self._held(urn, providers)

    def _held(self, urn: str, providers: Mapping[str, str]) -> NamedValue:
        made = self._known_as(urn, providers)
        return NamedValue(made, frozenset({urn}), open=True)

    def _known_as(self, urn: str, providers: Mapping[str, str]) -> RegisteredResource:
        found = self._monitor.known(urn)
        if found is None:
            return RegisteredResource(urn, urn.split("::")[2].rpartition("$")[2], urn.rpartition("::")[2], UNKNOWN, {})
        unknown = found.id is UNKNOWN or found.id in ("", UNKNOWN_TEXT)
        id_ = UNKNOWN if unknown else found.id
        if found.type.startswith(_PROVIDER):
            providers = {**providers, found.type.removeprefix(_PROVIDER): f"{urn}::{UNKNOWN_TEXT if unknown else id_}"}
        return RegisteredResource(urn, found.type, found.name, id_, self._opened(found.outputs), providers)

    def _opened(self, value: Any) -> Any:
        """What a provider answers: secrets opened, references as resources."""
        if isinstance(value, Mapping):
            if value.get(SIGNATURE) == SECRET:
                return self._opened(value.get("value", UNKNOWN))
            if value.get(SIGNATURE) == RESOURCE:
                return self._known_as(str(value.get("urn", "")), {})
            return {key: self._opened(each) for key, each in value.items()}
        return [self._opened(each) for each in value] if isinstance(value, list) else value

    def _name(self, node: _Node, below: Mapping[str, tuple[str, Any]]) -> str:
        key, name = below.get("name", ("name", None))
        if name is None or name == "":
            return node.name
        if not isinstance(name, str):
            raise self._source.fault(
                (*node.path, key), f"the name of '{node.name}' is {type_noun(name)}", "write a text"
            )
        return name

    def _properties(
        self, node: _Node, below: Mapping[str, tuple[str, Any]]
    ) -> tuple[dict[str, Any], dict[str, frozenset[str]]]:
        """The inputs, and the resources that each is made of."""
        key, given = below.get("properties", ("properties", None))
        path = (*node.path, key)
        if given is None:
            return {}, {}
        if isinstance(given, Mapping) and function_of(given) is None:
            held = {name: self._evaluator.held(each, (*path, name)) for name, each in given.items()}
            return {name: each.value for name, each in held.items()}, {name: each.uses for name, each in held.items()}
        whole = self._evaluator.held(given, path)
        if whole.value is UNKNOWN:
            self.complaints.append(f"{self._source.place(path)}: no property of '{node.name}' is known")
            return {}, {}
        if not isinstance(whole.value, Mapping):
            got = f"the properties of '{node.name}' are {type_noun(whole.value)}"
            raise self._source.fault(path, got, "write a block of keys and values")
        return dict(whole.value), dict.fromkeys(whole.value, whole.uses)

    def _options(self, node: _Node, below: Mapping[str, tuple[str, Any]]) -> dict[str, tuple[KeyPath, Any]]:
        """Option -> where, and what."""
        key, given = below.get("options", ("options", None))
        path = (*node.path, key)
        known = {each.lower(): each for each in _OPTIONS}
        made = {}
        for written, value in _block(self._source, given, path, "options").items():
            if written.lower() not in known:
                remedy = suggest_or(written, _OPTIONS, "take it out")
                raise self._source.fault((*path, written), f"there is no option '{written}'", remedy, key=True)
            where = (*path, written)
            made[known[written.lower()]] = (where, self._evaluator.held(value, where).value)
        return made

    def _made(self, options: Mapping[str, tuple[KeyPath, Any]], option: str, node: _Node) -> list[RegisteredResource]:
        """The resources that an option names."""
        path, value = options.get(option, (node.path, None))
        for each in as_sequence(value):
            if not isinstance(each, RegisteredResource):
                got = f"{option} of '{node.name}' is {type_noun(each)}, where a resource belongs"
                raise self._source.fault(path, got, "refer to one, as in ${name}")
        return as_sequence(value)

    def _parent(self, options: Mapping[str, tuple[KeyPath, Any]], node: _Node) -> str:
        return next((each.urn for each in self._made(options, "parent", node)), self._root)

    def _providers(
        self, node: _Node, type_: str, options: Mapping[str, tuple[KeyPath, Any]]
    ) -> tuple[str, Mapping[str, str]]:
        """The resource's own provider, and those that its children inherit. Without options they are the parent's."""
        package = type_.partition(":")[0]
        parents = self._made(options, "parent", node)
        providers = dict(parents[0].providers) if parents else {}
        said_path, said = options.get("providers", (node.path, None))
        given = list(said.values()) if isinstance(said, Mapping) else as_sequence(said)
        default = None if "provider" in options else self._provider_called(self._default_provider(node))
        for each in (*given, *self._made(options, "provider", node), *([default.value] if default else ())):
            if not isinstance(each, RegisteredResource) or not each.type.startswith(_PROVIDER):
                path = options.get("provider", (said_path, None))[0]
                got = f"the provider of '{node.name}' is no provider"
                raise self._source.fault(path, got, "refer to a resource of type pulumi:providers:...")
            providers |= each.providers
        return ("" if type_.startswith(_PROVIDER) else providers.get(package, "")), providers

    def _provider_called(self, name: str) -> NamedValue | None:
        """The resource of that name; None without a name."""
        return self._evaluator.names.get(name) if name else None

    def _plain_options(self, options: Mapping[str, tuple[KeyPath, Any]], node: _Node) -> dict[str, Any]:
        made = {}
        for option, field in _PLAIN_OPTIONS.items():
            path, value = options.get(option, (node.path, None))
            if value is None or value is UNKNOWN:
                continue
            many, truth = option in _LISTS, option in _TRUTHS
            texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
            if (many and not texts) or (truth and not isinstance(value, bool)):
                wanted = "a list of texts" if many else "true or false"
                raise self._source.fault(path, f"{option} of '{node.name}' is {type_noun(value)}", f"write {wanted}")
            made[field] = value if many or truth else str(value)
        return made

    def _aliases(self, options: Mapping[str, tuple[KeyPath, Any]], node: _Node) -> Iterator[alias_pb2.Alias]:
        path, value = options.get("aliases", (node.path, None))
        for each in as_sequence(value):
            if isinstance(each, str):
                yield alias_pb2.Alias(urn=each)
            elif isinstance(each, Mapping):
                said: dict[str, Any] = {
                    key: text for key in ("name", "type", "stack", "project") if isinstance(text := each.get(key), str)
                }
                parent = each.get("parent")
                if isinstance(parent, RegisteredResource | str):
                    said["parentUrn"] = parent if isinstance(parent, str) else parent.urn
                elif each.get("noParent") is True:
                    said["noParent"] = True
                urn = each.get("urn")
                yield (
                    alias_pb2.Alias(urn=urn)
                    if isinstance(urn, str)
                    else alias_pb2.Alias(spec=alias_pb2.Alias.Spec(**said))
                )
            elif each is not UNKNOWN:
                got = f"an alias of '{node.name}' is {type_noun(each)}"
                raise self._source.fault(path, got, "write a URN, or a block with name, type, parent")

    # What exists, and what is asked.

    def _read(
        self,
        node: _Node,
        below: Mapping[str, tuple[str, Any]],
        common: Mapping[str, Any],
        providers: Mapping[str, str],
    ) -> NamedValue:
        """`get:`, or another stack."""
        inputs: Mapping[str, Any] = {}
        if common["type"] == _STACK_REFERENCE:
            inputs, _ = self._properties(node, below)
            id_ = inputs.get("name") or node.name
        else:
            key, get = below["get"]
            said = lower_keys(_block(self._source, get, (*node.path, key), "get"))
            if "id" not in said:
                raise self._source.fault((*node.path, key), f"get of '{node.name}' has no id", "write id:", key=True)
            id_ = self._evaluator.held(said["id"][1], (*node.path, key, said["id"][0])).value
            state_key, state = said.get("state", ("state", None))
            where = (*node.path, key, state_key)
            inputs = {
                name: self._evaluator.held(each, (*where, name)).value
                for name, each in _block(self._source, state, where, "state").items()
            }
        if not (isinstance(id_, str) or id_ is UNKNOWN):
            raise self._source.fault(
                node.path, f"the id of '{node.name}' is {type_noun(id_)}", "write a text", key=True
            )
        request = resource_pb2.ReadResourceRequest(
            **common, id=UNKNOWN_TEXT if id_ is UNKNOWN else id_, properties=struct(_as_registered(dict(inputs)))
        )
        return self._held(str(self._monitor.ReadResource(request).urn), providers)

    def _ask(self, asked: InvokeCall) -> Any:
        token = function_token(asked.token)
        provider = next(
            (each for each in as_sequence(asked.options.get("provider")) if isinstance(each, RegisteredResource)), None
        )
        package = token.partition(":")[0]
        if provider is None and len(asked.path) and asked.path[0] == "variables":
            default = self._provider_called(self._defaults.get(package, ""))
            provider = default.value if default else None
        reference = provider.providers.get(package, "") if provider else ""
        request = resource_pb2.ResourceInvokeRequest(
            tok=token, args=struct(_as_registered(asked.arguments)), provider=reference
        )
        try:
            answer = self._monitor.Invoke(request)
        except NotModelled as fault:
            raise self._source.fault(asked.path, f"{token}: {fault}", "mend it, or judge a plan", key=True) from None
        except (AttributeError, LookupError, TypeError, ValueError) as fault:
            got = f"{token} does not take these arguments ({type(fault).__name__})"
            raise self._source.fault(asked.path, got, "compare them with its documentation", key=True) from fault
        return UNKNOWN if answer.unknown else self._opened(plain(getattr(answer, "return")))

    def _other_stack(self, name: str) -> Any:
        if name not in self._others:
            request = resource_pb2.ReadResourceRequest(
                type=_STACK_REFERENCE, name=name, id=name, parent=self._root, properties=struct({"name": name})
            )
            self._others[name] = self._known_as(str(self._monitor.ReadResource(request).urn), {})
        return self._others[name].outputs.get("outputs", UNKNOWN)


def _document(project: Project) -> Document:
    """The program's text: a file of its own, or that of the project."""
    if "compiler" in project.options:
        where = ProgramText(project.document).place(("runtime",))
        remedy = "run the compiler, keep what it prints as Main.yaml, and judge that"
        raise CannotBeRead(f"{where}: the program comes from a compiler, which is not run here; {remedy}")
    file = next((each for name in _MAIN if (each := project.folder / name).exists()), project.file)
    sound = file == project.file and not project.document.faults
    document = project.document if sound else read(file, as_go=True)
    for _, at, finding in document.faults:
        raise CannotBeRead(f"{file}:{at.line}:{at.column}: {finding.got}; {finding.remedy}")
    return document


def _block(source: ProgramText, value: Any, path: KeyPath, what: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise source.fault(path, f"{what} is {type_noun(value)}", "write a block of keys and values")
    return value


def _short(circle: list[str]) -> list[str]:
    """A circle of thousands is shown by its ends."""
    return circle if len(circle) <= 6 else [*circle[:3], "...", *circle[-2:]]  # noqa: PLR2004 - some names


def canonical_type(written: str, *, bridged: bool = True) -> tuple[str, str]:
    """A resource's type as its provider has it, and what to tell of one that Muster's SDKs do not list.

    Args:
        written: the type.
        bridged: whether its package may wrap a Terraform provider; packages of the project's own components do not.
    """
    if written.startswith("pulumi:"):
        return written, ""
    package = written.partition(":")[0]
    types = _types(package)
    tried = list(_spelt(written))
    for each in tried:
        if found := types.get(each.lower()):
            return found, ""
    likely = tried[-1] if bridged and _is_bridged(package) else tried[0]
    if not types:
        return likely, ""
    near = closest_match(likely, types.values())
    hint = f" (did you mean '{near}'?)" if near else ""
    return likely, f"the type is none that Muster knows{hint}: it is not judged"


def function_token(written: str) -> str:
    """A function's name as its provider has it."""
    tried = list(_spelt(written))
    return tried[-1] if _is_bridged(written.partition(":")[0]) else tried[0]


def _is_bridged(package: str) -> bool:
    """Whether a package wraps a Terraform provider, whose types are `pkg:module/type:Type`."""
    return package not in _MODULES_AS_WRITTEN


def _spelt(written: str) -> Iterator[str]:
    """A token as written, with `index` put in, and as packages have it that bridge Terraform."""
    package, *module, name = written.split(":")
    middle = module[0] if module else "index"
    yield f"{package}:{middle}:{name}"
    if "/" not in middle:
        yield f"{package}:{middle}/{name[:1].lower()}{name[1:]}:{name}"


@cache
def _types(package: str) -> Mapping[str, str]:
    """The types of a package: in small letters, and as they are. Read from the SDK's text: an import takes seconds."""
    sdk = find_spec(_SDKS[package]) if package in _SDKS else None
    if sdk is None or sdk.origin is None:
        return {}
    found = re.findall(rf'"({package}:[A-Za-z0-9./_-]+:[A-Za-z0-9]+)": "', Path(sdk.origin).read_text(encoding="utf-8"))
    return {each.lower(): each for each in found}


def _is_component(type_: str) -> bool:
    return type_ in _COMPONENTS or type_.partition(":")[0] in _OF_COMPONENTS


def _local_packages(project: Project) -> frozenset[str]:
    """Packages that the project names by a folder or a repository: components of somebody's own."""
    data = project.document.data
    packages = data.get("packages") if isinstance(data, Mapping) else None
    if not isinstance(packages, Mapping):
        return frozenset()
    sources = {key: each.get("source") if isinstance(each, Mapping) else each for key, each in packages.items()}
    return frozenset(key for key, each in sources.items() if isinstance(each, str) and _PLACE.match(each))


_PLACE = re.compile(r"[./]|https?:|[\w-]+\.[\w.-]+/")
"""How a folder or a repository begins (`./ours`, `github.com/them/theirs`), and no package of the registry."""
_WHOLE, _BROKEN = re.compile(r"-?(0|[1-9][0-9]{0,15})"), re.compile(r"-?(0|[1-9][0-9]{0,15})\.[0-9]{1,15}")


def _adjusted(text: str) -> Any:
    """A value of the configuration, as the engine hands it over: numbers, truth values and structures are no texts."""
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
    """An output's value, marked as secret where the program says so."""
    return secret(value) if (function_of(written) or "").lower() == "fn::secret" else value


def _as_registered(value: Any) -> Any:
    """A value as the monitor takes it."""
    if isinstance(value, RegisteredResource):
        return resource_reference(value.urn, "" if value.id is UNKNOWN else value.id)
    if isinstance(value, Mapping):
        return {key: _as_registered(each) for key, each in value.items()}
    return [_as_registered(each) for each in value] if isinstance(value, list) else value
