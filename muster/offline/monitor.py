"""The offline monitor: receives registrations like the engine, and answers as AWS would.

It subclasses the SDK's mock monitor only for the plumbing. The mock loses exports, parents, dependencies and options,
builds other URNs than the engine, and answers every invoke. This monitor records all of that, and refuses what it does
not model.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.mocks import MockMonitor
from pulumi.runtime.proto import resource_pb2

from muster.fleet.registration import Registration
from muster.hardware.zones import partition_of
from muster.offline.computed_outputs import ACCOUNT, computed_properties, existing_cluster, physical_id
from muster.offline.transforms import Transforms
from muster.unknown import UNKNOWN
from muster.wire import has_secret, plain, secret, struct

_STACK = "pulumi:pulumi:Stack"
_STACK_REFERENCE = "pulumi:pulumi:StackReference"
_GET_CLUSTER = "aws:eks/getCluster:getCluster"
_GET_CALLER = "aws:index/getCallerIdentity:getCallerIdentity"

_MANIFESTS = {"kubernetes:yaml/v2:ConfigFile", "kubernetes:kustomize/v2:Directory"}
"""Remote components, whose children only a provider with network access knows."""


_plain = partial(plain, marks=False)
"""The values of Muster's program come from its description, so messages need not hide them."""


class NotModelled(Exception):
    """The program needs something that the offline monitor does not model. The monitor never guesses."""


class DuplicateName(ValueError):
    """Two resources of a program have the same URN. The engine refuses that with the same message."""


class StackOutputs(Protocol):
    """The outputs of a stack, from a plan or a recording."""

    @property
    def outputs(self) -> Mapping[str, Any]:
        """The outputs, with secrets as plain values."""

    @property
    def secret_outputs(self) -> frozenset[str]:
        """The names of the outputs that are secrets."""


class OfflineMonitor(MockMonitor):
    """Records every registration of one program on one stack."""

    def __init__(
        self,
        project: str,
        stack: str,
        region: str,
        preview: bool,  # noqa: FBT001
        existing_clusters: Mapping[str, Mapping[str, Any]],
        stack_outputs: Mapping[str, StackOutputs],
    ) -> None:
        super().__init__(None)  # type: ignore[arg-type]  # nothing is mocked: this class answers itself
        self.project, self.stack, self.region, self.preview = project, stack, region, preview
        self._existing_clusters, self._stack_outputs = existing_clusters, stack_outputs
        self.registrations: dict[str, Registration] = {}
        self.secret_outputs: frozenset[str] = frozenset()
        self.transforms = Transforms(self)

    def urn(self, parent: str, type_: str, name: str) -> str:
        """The URN that the engine would use: it has the chain of parent types, without the stack."""
        chain = parent.split("::", 3)[2] if parent else ""
        qualified = type_ if chain in ("", _STACK) else f"{chain}${type_}"
        return f"urn:pulumi:{self.stack}::{self.project}::{qualified}::{name}"

    def RegisterResource(self, request: Any) -> Any:
        urn = self.urn(request.parent, request.type, request.name)
        inputs = self._transformed(urn, request)
        if request.type == _STACK:
            self._add(_registration(request, urn, inputs, "", {}))
            return resource_pb2.RegisterResourceResponse(urn=urn)
        if request.remote:
            if request.type not in _MANIFESTS:
                raise NotModelled(f"remote component {request.type} '{request.name}'")
            state: dict[str, Any] = {"resources": []}
            self._add(_registration(request, urn, inputs, "", state))
            return resource_pb2.RegisterResourceResponse(urn=urn, object=struct(state))
        id_: Any = ""
        outputs: dict[str, Any] = {}
        if request.custom:
            id_, outputs = self._answer(urn, request.type, request.name, inputs)
        id_ = request.importId or id_
        self._add(_registration(request, urn, inputs, id_, outputs))
        return resource_pb2.RegisterResourceResponse(
            urn=urn, id="" if id_ is UNKNOWN else id_, object=struct(outputs) if request.custom else request.object
        )

    def _transformed(self, urn: str, request: Any) -> dict[str, Any]:
        """The inputs of a resource as the program's transforms leave them."""
        self.transforms.inherit(urn, (each.token for each in request.transforms), request.parent)
        about = {"type": request.type, "name": request.name, "custom": request.custom, "parent": request.parent}
        return _plain(self.transforms.applied(urn, about, request.object))

    def RegisterStackTransform(self, request: Any) -> Any:
        self.transforms.of_stack.append(request.token)
        return Empty()

    def _answer(self, urn: str, type_: str, name: str, inputs: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Id and outputs: the inputs, and what the provider computes (in a preview, that is unknown)."""
        answer = computed_properties(urn, type_, name, inputs, self.region)
        if self.preview:
            return UNKNOWN, {**inputs, **_default_if_unset(answer, inputs)}
        return physical_id(urn, type_, name, inputs, self.region), {**inputs, **answer}

    def _add(self, registration: Registration) -> None:
        if registration.urn in self.registrations:
            raise DuplicateName(f"Duplicate resource URN '{registration.urn}'; try giving it a unique name")
        self.registrations[registration.urn] = registration

    def RegisterResourceOutputs(self, request: Any) -> Any:
        known = self.registrations[request.urn]
        outputs = {**known.outputs, **_plain(request.outputs)}
        secrets = known.secrets | {key for key in outputs if has_secret(request.outputs, key)}
        self.registrations[request.urn] = replace(known, outputs=outputs, secrets=frozenset(secrets))
        if known.type == _STACK:
            self.secret_outputs = frozenset(secrets)
        return Empty()

    def Invoke(self, request: Any) -> Any:
        if request.tok == _GET_CLUSTER:
            return self._get_cluster(_plain(request.args)["name"])
        if request.tok == _GET_CALLER:
            # All ARNs in a plan have the same account.
            caller = {
                "id": ACCOUNT,
                "accountId": ACCOUNT,
                "arn": f"arn:{partition_of(self.region)}:iam::{ACCOUNT}:user/planner",
                "userId": "AIDAEXAMPLE",
            }
            return resource_pb2.ResourceInvokeResponse(**{"return": struct(caller)})
        raise NotModelled(f"invoke of {request.tok}")

    def _get_cluster(self, name: str) -> Any:
        """An existing cluster of the description; only AWS knows others."""
        if name not in self._existing_clusters:
            raise NotModelled(f"only AWS knows the EKS cluster '{name}'")
        answer = existing_cluster(name, self.region, self._existing_clusters[name])
        return resource_pb2.ResourceInvokeResponse(**{"return": struct(answer)})

    def ReadResource(self, request: Any) -> Any:
        if request.type == _STACK_REFERENCE:
            return self._stack_reference(request)
        raise NotModelled(f"{request.type}.get('{request.name}'): only AWS knows existing resources")

    def _stack_reference(self, request: Any) -> Any:
        """The outputs of another stack, secret if that stack marks them as secret. They are also known in a preview."""
        exported = self._stack_outputs.get(request.id)
        if exported is None:
            raise NotModelled(
                f"the outputs of stack '{request.id}' are in its backend, which the offline monitor does not read"
            )
        urn = self.urn(request.parent, request.type, request.name)
        inputs = _plain(request.properties)
        names = sorted(exported.secret_outputs)
        answer = {"name": request.id, "outputs": dict(exported.outputs), "secretOutputNames": names}
        self._add(
            Registration(urn, request.type, request.name, inputs, parent=request.parent, id=request.id, outputs=answer)
        )
        outputs = {name: secret(value) if name in names else value for name, value in exported.outputs.items()}
        return resource_pb2.ReadResourceResponse(urn=urn, properties=struct({**answer, "outputs": outputs}))


def _default_if_unset(answer: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Computed properties as unknowns, except those that the program sets itself, also inside objects."""
    masked: dict[str, Any] = {}
    for key, value in answer.items():
        given = inputs.get(key)
        if isinstance(value, dict) and isinstance(given, dict):
            masked[key] = _default_if_unset(value, given)
        else:
            masked[key] = value if key in inputs and value == given else UNKNOWN
    return masked


_OPTIONS = ("protect", "deleteBeforeReplace", "retainOnDelete", "deletedWith", "provider", "version")
_LISTS = ("ignoreChanges", "aliases", "additionalSecretOutputs", "replaceOnChanges")
"""The resource options that are recorded, by their names in the request."""


def _registration(
    request: Any, urn: str, inputs: Mapping[str, Any], id_: Any, outputs: Mapping[str, Any]
) -> Registration:
    options = {name: getattr(request, name, None) for name in _OPTIONS}
    options |= {name: list(getattr(request, name, ())) for name in _LISTS}
    position = request.sourcePosition
    return Registration(
        urn=urn,
        type=request.type,
        name=request.name,
        inputs=inputs,
        parent=request.parent,
        custom=request.custom,
        id=id_,
        outputs=outputs,
        dependencies=tuple(sorted(request.dependencies)),
        property_dependencies={
            key: tuple(sorted(below.urns)) for key, below in request.propertyDependencies.items() if below.urns
        },
        options={name: value for name, value in options.items() if value},
        source=(unquote(urlsplit(position.uri).path), position.line) if position.uri else None,
    )
