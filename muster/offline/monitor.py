"""The offline monitor: takes registrations as the engine does, and answers as AWS would.

It subclasses the SDK's mock monitor for the plumbing only. The mock loses exports, parents, dependencies and options,
builds URNs unlike the engine's, and answers every invoke; this one records all of that and refuses what it does not
model.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.mocks import MockMonitor, MockResourceArgs, Mocks
from pulumi.runtime.proto import resource_pb2

from muster.fleet.registration import Registration
from muster.fleet.unknown import UNKNOWN
from muster.offline import eks_component
from muster.offline.eks_component import NotModelled
from muster.offline.outputs import computed, existing_cluster, physical_id
from muster.wire import has_secret, plain, resource_reference, secret, to_wire

_STACK = "pulumi:pulumi:Stack"
_STACK_REFERENCE = "pulumi:pulumi:StackReference"
_GET_CLUSTER = "aws:eks/getCluster:getCluster"

_REMOTE_WITHOUT_CHILDREN: Mapping[str, dict[str, Any]] = {
    "kubernetes:yaml/v2:ConfigFile": {"resources": []},
    "kubernetes:kustomize/v2:Directory": {"resources": []},
}
"""Remote components whose children only a provider with a network can know, and their outputs."""


class _NoMocks(Mocks):
    """The base class wants mocks; nothing here calls them."""

    def call(self, args: Any) -> Any:
        raise NotModelled(f"invoke of {args.token}")

    def new_resource(self, args: MockResourceArgs) -> Any:
        raise NotModelled(f"mock resource {args.typ}")


class Exported(Protocol):
    """What a stack exports: a plan's or a recording's outputs."""

    @property
    def outputs(self) -> Mapping[str, Any]:
        """Secrets opened."""

    @property
    def secret_outputs(self) -> frozenset[str]:
        """The names of those that are secrets."""


class OfflineMonitor(MockMonitor):
    """Records every registration of one program on one stack."""

    def __init__(
        self,
        project: str,
        stack: str,
        region: str,
        *,
        preview: bool,
        existing_clusters: Mapping[str, Mapping[str, Any]] | None = None,
        stack_outputs: Mapping[str, Exported] | None = None,
    ) -> None:
        super().__init__(_NoMocks())
        self.project, self.stack, self.region, self.preview = project, stack, region, preview
        self._existing_clusters = existing_clusters or {}
        self._stack_outputs = stack_outputs or {}
        self.registrations: dict[str, Registration] = {}
        self.secret_outputs: frozenset[str] = frozenset()

    def urn(self, parent: str, type_: str, name: str) -> str:
        """The engine's URN: the chain of parent types, the stack left out."""
        chain = parent.split("::", 3)[2] if parent else ""
        qualified = type_ if chain in ("", _STACK) else f"{chain}${type_}"
        return f"urn:pulumi:{self.stack}::{self.project}::{qualified}::{name}"

    def RegisterResource(self, request: Any) -> Any:
        inputs = plain(request.object)
        urn = self.urn(request.parent, request.type, request.name)
        if request.type == _STACK:
            self._add(_registration(request, urn, inputs, "", {}))
            return resource_pb2.RegisterResourceResponse(urn=urn)
        if request.remote:
            return self._construct(request, urn, inputs)
        id_, outputs = self._answer(urn, request.type, request.name, inputs) if request.custom else ("", {})
        self._add(_registration(request, urn, inputs, id_, outputs))
        return resource_pb2.RegisterResourceResponse(
            urn=urn, id="" if id_ is UNKNOWN else id_, object=_struct(outputs) if request.custom else request.object
        )

    def _answer(self, urn: str, type_: str, name: str, inputs: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Id and outputs: the inputs, and what the provider computes; in a preview all of the latter is unknown."""
        answer = computed(urn, type_, name, inputs, self.region)
        if self.preview:
            return UNKNOWN, {**inputs, **_unless_given(answer, inputs)}
        return physical_id(urn, type_, name, inputs, self.region), {**inputs, **answer}

    def _construct(self, request: Any, urn: str, args: dict[str, Any]) -> Any:
        if request.type in _REMOTE_WITHOUT_CHILDREN:
            state = dict(_REMOTE_WITHOUT_CHILDREN[request.type])
        elif request.type == eks_component.COMPONENT:
            state = self._eks_cluster(request, urn, args)
        else:
            raise NotModelled(f"remote component {request.type} '{request.name}'")
        self._add(_registration(request, urn, args, "", state))
        return resource_pb2.RegisterResourceResponse(urn=urn, object=_struct(state))

    def _eks_cluster(self, request: Any, urn: str, args: dict[str, Any]) -> dict[str, Any]:
        eks_component.check(request.name, args)
        role = self.registrations[args["serviceRole"]]
        inputs = eks_component.cluster_inputs(request.name, args, role.outputs.get("arn", UNKNOWN))
        name = f"{request.name}-eksCluster"
        cluster_urn = self.urn(urn, eks_component.CLUSTER, name)
        id_, outputs = self._answer(cluster_urn, eks_component.CLUSTER, name, inputs)
        dependencies = {"roleArn": (role.urn,)}
        self._add(
            Registration(
                urn=cluster_urn,
                type=eks_component.CLUSTER,
                name=name,
                inputs=inputs,
                parent=urn,
                id=id_,
                outputs=outputs,
                dependencies=(role.urn,),
                property_dependencies=dependencies,
                options={
                    "ignoreChanges": [
                        "accessConfig.bootstrapClusterCreatorAdminPermissions",
                        "bootstrapSelfManagedAddons",
                    ]
                },
            )
        )
        state = eks_component.outputs(
            outputs, resource_reference(cluster_urn, "" if id_ is UNKNOWN else id_), self.region
        )
        provider = f"{request.name}-eks-k8s"
        self._add(
            Registration(
                urn=self.urn(urn, eks_component.PROVIDER, provider),
                type=eks_component.PROVIDER,
                name=provider,
                inputs={"kubeconfig": state["kubeconfigJson"]},
                parent=urn,
                id=UNKNOWN if self.preview else provider,
                dependencies=(cluster_urn,),
                property_dependencies={"kubeconfig": (cluster_urn,)},
            )
        )
        return state

    def _add(self, registration: Registration) -> None:
        if registration.urn in self.registrations:
            raise ValueError(f"Duplicate resource URN '{registration.urn}'; try giving it a unique name")
        self.registrations[registration.urn] = registration

    def RegisterResourceOutputs(self, request: Any) -> Any:
        known = self.registrations[request.urn]
        outputs = {**known.outputs, **plain(request.outputs)}
        secrets = known.secrets | {key for key in outputs if has_secret(request.outputs, key)}
        self.registrations[request.urn] = replace(known, outputs=outputs, secrets=frozenset(secrets))
        if known.type == _STACK:
            self.secret_outputs = frozenset(secrets)
        return Empty()

    def Invoke(self, request: Any) -> Any:
        if request.tok == _GET_CLUSTER:
            return self._get_cluster(plain(request.args)["name"])
        if request.tok != "pulumi:pulumi:getResource":
            raise NotModelled(f"invoke of {request.tok}")
        urn = plain(request.args)["urn"]
        found = self.registrations[urn]
        answer = {"urn": urn, "id": "" if found.id is UNKNOWN else found.id, "state": dict(found.outputs)}
        return resource_pb2.ResourceInvokeResponse(**{"return": _struct(answer)})

    def _get_cluster(self, name: str) -> Any:
        """The clusters that exist by the description; of others only AWS knows."""
        if name not in self._existing_clusters:
            raise NotModelled(f"a question about EKS cluster '{name}': that needs AWS")
        answer = existing_cluster(name, self.region, self._existing_clusters[name])
        return resource_pb2.ResourceInvokeResponse(**{"return": _struct(answer)})

    def ReadResource(self, request: Any) -> Any:
        if request.type == _STACK_REFERENCE:
            return self._stack_reference(request)
        raise NotModelled(f"{request.type}.get('{request.name}'): reading what exists needs AWS")

    def _stack_reference(self, request: Any) -> Any:
        """Another stack's outputs, each as secret as that stack has it. They are known in a preview, too."""
        exported = self._stack_outputs.get(request.id)
        if exported is None:
            raise NotModelled(f"the stack reference '{request.id}': another stack's outputs are in the backend")
        urn = self.urn(request.parent, request.type, request.name)
        inputs = plain(request.properties)
        names = sorted(exported.secret_outputs)
        answer = {"name": request.id, "outputs": dict(exported.outputs), "secretOutputNames": names}
        self._add(
            Registration(urn, request.type, request.name, inputs, parent=request.parent, id=request.id, outputs=answer)
        )
        outputs = {name: secret(value) if name in names else value for name, value in exported.outputs.items()}
        return resource_pb2.ReadResourceResponse(urn=urn, properties=_struct({**answer, "outputs": outputs}))

    def ExistsResource(self, request: Any) -> Any:
        raise NotModelled(f"a question whether {request.type} {request.id} exists: that needs AWS")


def _struct(values: Mapping[str, Any]) -> Struct:
    struct = Struct()
    struct.update(to_wire(dict(values)))
    return struct


def _unless_given(answer: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What a provider computed, unknown wherever the program did not say it itself (inside objects too)."""
    masked: dict[str, Any] = {}
    for key, value in answer.items():
        given = inputs.get(key)
        if isinstance(value, dict) and isinstance(given, dict):
            masked[key] = _unless_given(value, given)
        else:
            masked[key] = value if key in inputs and value == given else UNKNOWN
    return masked


_OPTIONS: Mapping[str, Callable[[Any], Any]] = {
    "protect": bool,
    "ignoreChanges": list,
    "deleteBeforeReplace": bool,
    "retainOnDelete": bool,
    "deletedWith": str,
    "provider": str,
    "version": str,
    "aliases": list,
    "additionalSecretOutputs": list,
    "replaceOnChanges": list,
}
"""Resource options worth recording, as the request names them."""


def _registration(
    request: Any, urn: str, inputs: Mapping[str, Any], id_: Any, outputs: Mapping[str, Any]
) -> Registration:
    options = {name: read(getattr(request, name)) for name, read in _OPTIONS.items() if getattr(request, name, None)}
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
    )
