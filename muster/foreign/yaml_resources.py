"""Registers the resources of programs in YAML with the offline monitor, and makes their calls to providers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi.runtime.proto import alias_pb2, resource_pb2

from muster.finding import KeyPath
from muster.foreign.project import Project
from muster.foreign.yaml_expressions import Evaluator
from muster.foreign.yaml_functions import InvokeCall
from muster.foreign.yaml_syntax import ProgramText, function_of, is_invoke, lower_keys, suggest_or, token_of
from muster.foreign.yaml_types import canonical_type, function_token, is_component, local_packages
from muster.foreign.yaml_values import NamedValue, RegisteredResource, type_noun
from muster.offline.eks_component import NotModelled
from muster.offline.monitor import DuplicateName, OfflineMonitor
from muster.plain_data import as_list
from muster.secret_texts import mark
from muster.unknown import UNKNOWN
from muster.wire import RESOURCE, SECRET, SIGNATURE, UNKNOWN_TEXT, plain, resource_reference, struct

PROVIDER = "pulumi:providers:"
_STACK_REFERENCE = "pulumi:pulumi:StackReference"
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
_FLAGS = frozenset({"deleteBeforeReplace", "protect", "retainOnDelete"})


@dataclass(frozen=True, slots=True)
class Node:
    """A resource or a variable of the program, and its place."""

    name: str
    what: str
    value: Any
    path: KeyPath


class Resources:
    """The resources of one program.

    Args:
        project: the program's project.
        source: its text.
        monitor: receives the registrations.
    """

    def __init__(self, project: Project, source: ProgramText, monitor: OfflineMonitor) -> None:
        self._project, self.source, self.monitor = project, source, monitor
        self.evaluator = Evaluator(source, project.root, project.folder, self._call_provider, self._stack_outputs)
        self.defaults: dict[str, str] = {}
        """Package -> the name of its default provider."""
        self.root = ""
        """The URN of the stack."""
        self.complaints: list[str] = []
        self._others: dict[str, RegisteredResource] = {}

    def default_provider(self, node: Node) -> str:
        """The name of the default provider of a resource, or of a variable that is an invoke; empty if there is
        none."""
        if node.what != "resource":
            return self.defaults.get(token_of(node.value).partition(":")[0], "") if is_invoke(node.value) else ""
        below = lower_keys(node.value) if isinstance(node.value, Mapping) else {}
        type_ = below.get("type", ("", ""))[1]
        package = type_.partition(":")[0] if isinstance(type_, str) and not type_.startswith(PROVIDER) else ""
        return self.defaults.get(package, "")

    def register(self, node: Node) -> NamedValue:
        """Registers a resource, or reads one that exists."""
        below = lower_keys(node.value)
        written = str(below["type"][1])
        local = written.partition(":")[0] in local_packages(self._project)
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
        waits = {each.urn for each in self._resources_in(options, "dependsOn", node)}
        remote = local or is_component(type_)
        request = resource_pb2.RegisterResourceRequest(
            **common,
            custom=not remote,
            remote=remote,
            providers=providers if remote else {},
            object=struct(as_registered({key: each for key, each in inputs.items() if each is not None})),
            dependencies=sorted({*waits, *(urn for urns in uses.values() for urn in urns)}),
            propertyDependencies={
                key: resource_pb2.RegisterResourceRequest.PropertyDependencies(urns=sorted(urns))
                for key, urns in uses.items()
                if urns
            },
            aliases=list(self._aliases(options, node)),
            deletedWith=next((each.urn for each in self._resources_in(options, "deletedWith", node)), ""),
            **self._plain_options(options, node),
        )
        try:
            urn = str(self.monitor.RegisterResource(request).urn)
        except DuplicateName:
            got = f"two resources of type {type_} have the name '{name}'"
            raise self.source.fault(node.path, got, "rename one of them", key=True) from None
        except (AttributeError, LookupError, TypeError, ValueError) as fault:
            # pulumi-yaml knows the schema, and would have refused a property of the wrong type.
            got = f"{type_} does not accept these properties ({type(fault).__name__})"
            raise self.source.fault(node.path, got, "compare them with the type's documentation", key=True) from fault
        if unlisted:
            self.monitor.not_modelled(urn, unlisted)
        return self._value_of(urn, providers)

    def _value_of(self, urn: str, providers: Mapping[str, str]) -> NamedValue:
        made = self._registered(urn, providers)
        return NamedValue(made, frozenset({urn}), open=True)

    def _registered(self, urn: str, providers: Mapping[str, str]) -> RegisteredResource:
        found = self.monitor.known(urn)
        if found is None:
            return RegisteredResource(urn, urn.split("::")[2].rpartition("$")[2], urn.rpartition("::")[2], UNKNOWN, {})
        unknown = found.id is UNKNOWN or found.id in ("", UNKNOWN_TEXT)
        id_ = UNKNOWN if unknown else found.id
        if found.type.startswith(PROVIDER):
            providers = {**providers, found.type.removeprefix(PROVIDER): f"{urn}::{UNKNOWN_TEXT if unknown else id_}"}
        return RegisteredResource(urn, found.type, found.name, id_, self._opened(found.outputs), providers)

    def _opened(self, value: Any) -> Any:
        """An answer of a provider, with secrets as plain values, and references as resources."""
        if isinstance(value, Mapping):
            if value.get(SIGNATURE) == SECRET:
                return self._opened(mark(value.get("value", UNKNOWN)))
            if value.get(SIGNATURE) == RESOURCE:
                return self._registered(str(value.get("urn", "")), {})
            return {key: self._opened(each) for key, each in value.items()}
        return [self._opened(each) for each in value] if isinstance(value, list) else value

    def _name(self, node: Node, below: Mapping[str, tuple[str, Any]]) -> str:
        key, name = below.get("name", ("name", None))
        if name is None or name == "":
            return node.name
        if not isinstance(name, str):
            raise self.source.fault(
                (*node.path, key), f"the name of '{node.name}' is {type_noun(name)}", "write a string"
            )
        return name

    def _properties(
        self, node: Node, below: Mapping[str, tuple[str, Any]]
    ) -> tuple[dict[str, Any], dict[str, frozenset[str]]]:
        """The inputs, and the resources that each depends on."""
        key, given = below.get("properties", ("properties", None))
        path = (*node.path, key)
        if given is None:
            return {}, {}
        if isinstance(given, Mapping) and function_of(given) is None:
            evaluated = {name: self.evaluator.evaluate(each, (*path, name)) for name, each in given.items()}
            return {name: each.value for name, each in evaluated.items()}, {
                name: each.uses for name, each in evaluated.items()
            }
        whole = self.evaluator.evaluate(given, path)
        if whole.value is UNKNOWN:
            self.complaints.append(f"{self.source.place(path)}: none of the properties of '{node.name}' is known")
            return {}, {}
        if not isinstance(whole.value, Mapping):
            got = f"the properties of '{node.name}' are {type_noun(whole.value)}"
            raise self.source.fault(path, got, "write a block of keys and values")
        return dict(whole.value), dict.fromkeys(whole.value, whole.uses)

    def _options(self, node: Node, below: Mapping[str, tuple[str, Any]]) -> dict[str, tuple[KeyPath, Any]]:
        """Option -> its place, and its value."""
        key, given = below.get("options", ("options", None))
        path = (*node.path, key)
        known = {each.lower(): each for each in _OPTIONS}
        made = {}
        for written, value in block_of(self.source, given, path, "options").items():
            if written.lower() not in known:
                remedy = suggest_or(written, _OPTIONS, "remove it")
                raise self.source.fault((*path, written), f"option '{written}' does not exist", remedy, key=True)
            where = (*path, written)
            made[known[written.lower()]] = (where, self.evaluator.evaluate(value, where).value)
        return made

    def _resources_in(
        self, options: Mapping[str, tuple[KeyPath, Any]], option: str, node: Node
    ) -> list[RegisteredResource]:
        """The resources in an option."""
        path, value = options.get(option, (node.path, None))
        for each in as_list(value):
            if not isinstance(each, RegisteredResource):
                got = f"{option} of '{node.name}' is {type_noun(each)}, not a resource"
                raise self.source.fault(path, got, "refer to a resource, such as ${name}")
        return as_list(value)

    def _parent(self, options: Mapping[str, tuple[KeyPath, Any]], node: Node) -> str:
        return next((each.urn for each in self._resources_in(options, "parent", node)), self.root)

    def _providers(
        self, node: Node, type_: str, options: Mapping[str, tuple[KeyPath, Any]]
    ) -> tuple[str, Mapping[str, str]]:
        """The resource's provider, and the providers that its children inherit. Default: the parent's providers."""
        package = type_.partition(":")[0]
        parents = self._resources_in(options, "parent", node)
        providers = dict(parents[0].providers) if parents else {}
        given_path, chosen = options.get("providers", (node.path, None))
        given = list(chosen.values()) if isinstance(chosen, Mapping) else as_list(chosen)
        default = None if "provider" in options else self._provider_called(self.default_provider(node))
        for each in (*given, *self._resources_in(options, "provider", node), *([default.value] if default else ())):
            if not isinstance(each, RegisteredResource) or not each.type.startswith(PROVIDER):
                path = options.get("provider", (given_path, None))[0]
                got = f"the option provider of '{node.name}' does not refer to a provider"
                raise self.source.fault(path, got, "refer to a resource of type pulumi:providers:...")
            providers |= each.providers
        return ("" if type_.startswith(PROVIDER) else providers.get(package, "")), providers

    def _provider_called(self, name: str) -> NamedValue | None:
        """The resource with that name; None if the name is empty."""
        return self.evaluator.names.get(name) if name else None

    def _plain_options(self, options: Mapping[str, tuple[KeyPath, Any]], node: Node) -> dict[str, Any]:
        made = {}
        for option, field in _PLAIN_OPTIONS.items():
            path, value = options.get(option, (node.path, None))
            if value is None or value is UNKNOWN:
                continue
            many, truth = option in _LISTS, option in _FLAGS
            texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
            if (many and not texts) or (truth and not isinstance(value, bool)):
                wanted = "a list of strings" if many else "true or false"
                raise self.source.fault(path, f"{option} of '{node.name}' is {type_noun(value)}", f"write {wanted}")
            made[field] = value if many or truth else str(value)
        return made

    def _aliases(self, options: Mapping[str, tuple[KeyPath, Any]], node: Node) -> Iterator[alias_pb2.Alias]:
        path, value = options.get("aliases", (node.path, None))
        for each in as_list(value):
            if isinstance(each, str):
                yield alias_pb2.Alias(urn=each)
            elif isinstance(each, Mapping):
                spec: dict[str, Any] = {
                    key: text for key in ("name", "type", "stack", "project") if isinstance(text := each.get(key), str)
                }
                parent = each.get("parent")
                if isinstance(parent, RegisteredResource | str):
                    spec["parentUrn"] = parent if isinstance(parent, str) else parent.urn
                elif each.get("noParent") is True:
                    spec["noParent"] = True
                urn = each.get("urn")
                yield (
                    alias_pb2.Alias(urn=urn)
                    if isinstance(urn, str)
                    else alias_pb2.Alias(spec=alias_pb2.Alias.Spec(**spec))
                )
            elif each is not UNKNOWN:
                got = f"an alias of '{node.name}' is {type_noun(each)}"
                raise self.source.fault(path, got, "write a URN, or a block with name, type and parent")

    def _read(
        self,
        node: Node,
        below: Mapping[str, tuple[str, Any]],
        common: Mapping[str, Any],
        providers: Mapping[str, str],
    ) -> NamedValue:
        """Reads an existing resource (`get:`), or another stack."""
        inputs: Mapping[str, Any] = {}
        if common["type"] == _STACK_REFERENCE:
            inputs, _ = self._properties(node, below)
            id_ = inputs.get("name") or node.name
        else:
            key, get = below["get"]
            inside = lower_keys(block_of(self.source, get, (*node.path, key), "get"))
            if "id" not in inside:
                raise self.source.fault((*node.path, key), f"get: of '{node.name}' has no id", "add id:", key=True)
            id_ = self.evaluator.evaluate(inside["id"][1], (*node.path, key, inside["id"][0])).value
            state_key, state = inside.get("state", ("state", None))
            where = (*node.path, key, state_key)
            inputs = {
                name: self.evaluator.evaluate(each, (*where, name)).value
                for name, each in block_of(self.source, state, where, "state").items()
            }
        if not (isinstance(id_, str) or id_ is UNKNOWN):
            raise self.source.fault(
                node.path, f"the id of '{node.name}' is {type_noun(id_)}", "write a string", key=True
            )
        request = resource_pb2.ReadResourceRequest(
            **common, id=UNKNOWN_TEXT if id_ is UNKNOWN else id_, properties=struct(as_registered(dict(inputs)))
        )
        return self._value_of(str(self.monitor.ReadResource(request).urn), providers)

    def _call_provider(self, call: InvokeCall) -> Any:
        token = function_token(call.token)
        provider = next(
            (each for each in as_list(call.options.get("provider")) if isinstance(each, RegisteredResource)), None
        )
        package = token.partition(":")[0]
        if provider is None and len(call.path) and call.path[0] == "variables":
            default = self._provider_called(self.defaults.get(package, ""))
            provider = default.value if default else None
        reference = provider.providers.get(package, "") if provider else ""
        request = resource_pb2.ResourceInvokeRequest(
            tok=token, args=struct(as_registered(call.arguments)), provider=reference
        )
        try:
            answer = self.monitor.Invoke(request)
        except NotModelled as fault:
            remedy = "correct it, or check a saved plan of the program instead (--plan)"
            raise self.source.fault(call.path, f"{token}: {fault}", remedy, key=True) from None
        except (AttributeError, LookupError, TypeError, ValueError) as fault:
            got = f"{token} does not accept these arguments ({type(fault).__name__})"
            raise self.source.fault(call.path, got, "compare them with its documentation", key=True) from fault
        return UNKNOWN if answer.unknown else self._opened(plain(getattr(answer, "return")))

    def _stack_outputs(self, name: str) -> Any:
        if name not in self._others:
            request = resource_pb2.ReadResourceRequest(
                type=_STACK_REFERENCE, name=name, id=name, parent=self.root, properties=struct({"name": name})
            )
            self._others[name] = self._registered(str(self.monitor.ReadResource(request).urn), {})
        return self._others[name].outputs.get("outputs", UNKNOWN)


def block_of(source: ProgramText, value: Any, path: KeyPath, what: str) -> Mapping[str, Any]:
    """A block of keys; empty if the value is missing.

    Raises:
        CannotBeRead: it is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise source.fault(path, f"{what} is {type_noun(value)}", "write a block of keys and values")
    return value


def as_registered(value: Any) -> Any:
    """A value in the form that the monitor takes."""
    if isinstance(value, RegisteredResource):
        return resource_reference(value.urn, "" if value.id is UNKNOWN else value.id)
    if isinstance(value, Mapping):
        return {key: as_registered(each) for key, each in value.items()}
    return [as_registered(each) for each in value] if isinstance(value, list) else value
