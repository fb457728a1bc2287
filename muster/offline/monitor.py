"""The offline monitor: receives registrations like the engine, and answers as AWS would.

It subclasses the SDK's mock monitor only for the plumbing. The mock loses exports, parents, dependencies and options,
builds other URNs than the engine, and answers every invoke. This monitor records all of that, and refuses what it does
not model. For programs of other teams (`lenient`) it answers such requests with unknowns, and lists them in `gaps`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from threading import RLock
from typing import Any, Protocol
from urllib.parse import urlsplit
from urllib.request import url2pathname

from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.mocks import MockMonitor, MockResourceArgs, Mocks
from pulumi.runtime.proto import provider_pb2, resource_pb2

from muster.fleet.facts import Facts
from muster.fleet.registration import Registration
from muster.offline import eks_cluster, eks_component
from muster.offline.computed_outputs import computed_properties, existing_cluster, physical_id
from muster.offline.eks_component import NotModelled
from muster.offline.gaps import Gap
from muster.offline.invokes import InvokeAccount, answer_invoke
from muster.offline.transforms import Transforms
from muster.unknown import UNKNOWN, has_unknown
from muster.wire import UNKNOWN_ON_THE_WIRE, has_secret, plain, resource_reference, secret, struct

_STACK = "pulumi:pulumi:Stack"
_STACK_REFERENCE = "pulumi:pulumi:StackReference"
_GET_CLUSTER = "aws:eks/getCluster:getCluster"
_GET_CALLER = "aws:index/getCallerIdentity:getCallerIdentity"

_REMOTE_WITHOUT_CHILDREN: Mapping[str, dict[str, Any]] = {
    "kubernetes:yaml/v2:ConfigFile": {"resources": []},
    "kubernetes:kustomize/v2:Directory": {"resources": []},
}
"""Remote components, whose children only a provider with network access knows -> their outputs."""

_RENDERED: Mapping[str, dict[str, Any]] = {
    **_REMOTE_WITHOUT_CHILDREN,
    "kubernetes:yaml/v2:ConfigGroup": {"resources": []},
    "kubernetes:helm.sh/v4:Chart": {"resources": []},
}
"""The same, for programs of other teams."""

_DYNAMIC = "pulumi-python:dynamic"

_FAR_AWAY = "cn-north-1"
"""A Region in another partition. If an answer differs there, it depends on the Region."""


class DuplicateName(ValueError):
    """Two resources of a program have the same URN. The engine refuses that with the same message."""


class _NoMocks(Mocks):
    """The mocks that the base class requires; they are never called."""

    def call(self, args: Any) -> Any:
        raise NotModelled(f"invoke of {args.token}")

    def new_resource(self, args: MockResourceArgs) -> Any:
        raise NotModelled(f"mock resource {args.typ}")


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
        *,
        preview: bool,
        existing_clusters: Mapping[str, Mapping[str, Any]] | None = None,
        stack_outputs: Mapping[str, StackOutputs] | None = None,
        lenient: bool = False,
        facts: Facts | None = None,
        region_is_assumed: bool = False,
    ) -> None:
        super().__init__(_NoMocks())
        self.project, self.stack, self.region, self.preview = project, stack, region, preview
        self.lenient, self._facts, self._assumed = lenient, facts, region_is_assumed
        self._plain = partial(plain, marks=lenient)
        self.gaps: list[Gap] = []
        self.lock = RLock()
        """Held while a request is answered, because the monitor changes its lists."""
        self._transforms = Transforms(self.lock)
        self._reads: dict[str, Registration] = {}
        self.eks: dict[str, eks_cluster.ClusterCore] = {}
        self._existing_clusters = existing_clusters or {}
        self._stack_outputs = stack_outputs or {}
        self.registrations: dict[str, Registration] = {}
        self.secret_outputs: frozenset[str] = frozenset()

    def place(self, region: str, *, assumed: bool, facts: Facts | None) -> None:
        """Sets the Region and the facts, if they become known after the monitor was created."""
        self.region, self._assumed, self._facts = region, assumed, facts

    def urn(self, parent: str, type_: str, name: str) -> str:
        """The URN that the engine would use: it has the chain of parent types, without the stack."""
        chain = parent.split("::", 3)[2] if parent else ""
        qualified = type_ if chain in ("", _STACK) else f"{chain}${type_}"
        return f"urn:pulumi:{self.stack}::{self.project}::{qualified}::{name}"

    def not_modelled(self, where: str, missing: str) -> None:
        """Records a gap: something that only AWS or a provider knows.

        Raises:
            NotModelled: the program is Muster's.
        """
        if not self.lenient:
            raise NotModelled(f"{where}: {missing}")
        self.gaps.append(Gap(where, missing))

    def close(self) -> None:
        """Closes the connections to the program's callbacks."""
        self._transforms.close()

    def known(self, urn: str) -> Registration | None:
        """The resource with a URN, which was registered or read."""
        return self.registrations.get(urn) or self._reads.get(urn)

    def region_of(self, provider: str) -> str:
        """The Region of an explicit provider. Without a provider, or if the provider sets none, the stack's Region."""
        found = self.registrations.get(provider.rpartition("::")[0]) if provider else None
        region = found.inputs.get("region") if found else None
        return region if isinstance(region, str) else self.region

    def RegisterResource(self, request: Any) -> Any:
        urn = self.urn(request.parent, request.type, request.name)
        if self.lenient:
            request = self._transforms.of(request, urn)
        inputs = self._plain(request.object)
        if request.type == _STACK:
            self._add(_registration(request, urn, inputs, "", {}))
            return resource_pb2.RegisterResourceResponse(urn=urn)
        if request.remote:
            return self._construct(request, urn, inputs)
        id_: Any = ""
        outputs: dict[str, Any] = {}
        if request.custom:
            region = self.region_of(request.provider)
            id_, outputs = self._answer(urn, request.type, request.name, inputs, region)
        if self.lenient and request.type.startswith(_DYNAMIC):
            self.not_modelled(urn, "only the dynamic provider knows what this resource creates")
        id_ = request.importId or id_
        self._add(_registration(request, urn, inputs, id_, outputs))
        return resource_pb2.RegisterResourceResponse(
            urn=urn, id="" if id_ is UNKNOWN else id_, object=struct(outputs) if request.custom else request.object
        )

    def _answer(
        self, urn: str, type_: str, name: str, inputs: Mapping[str, Any], region: str
    ) -> tuple[Any, dict[str, Any]]:
        """Id and outputs: the inputs, and what the provider computes (in a preview, that is unknown)."""
        answer = computed_properties(urn, type_, name, inputs, region)
        if self.preview:
            return UNKNOWN, {**inputs, **_default_if_unset(answer, inputs)}
        return physical_id(urn, type_, name, inputs, region), {**inputs, **answer}

    def _construct(self, request: Any, urn: str, args: dict[str, Any]) -> Any:
        if self.lenient:
            return self._others_component(request, urn, args)
        if request.type in _REMOTE_WITHOUT_CHILDREN:
            state = dict(_REMOTE_WITHOUT_CHILDREN[request.type])
        elif request.type == eks_component.COMPONENT:
            state = self._eks_cluster(request, urn, args)
        else:
            raise NotModelled(f"remote component {request.type} '{request.name}'")
        self._add(_registration(request, urn, args, "", state))
        return resource_pb2.RegisterResourceResponse(urn=urn, object=struct(state))

    def _others_component(self, request: Any, urn: str, args: dict[str, Any]) -> Any:
        """Constructs a remote component in a program of another team. Outputs that are left out are unknown."""
        self._add(_registration(request, urn, args, "", {}))
        if make := eks_cluster.COMPONENTS.get(request.type):
            state = make(eks_cluster.ComponentResource(self, request, urn, args))
        else:
            state = _RENDERED.get(request.type, {})
            self.not_modelled(urn, f"only the provider knows the resources that {request.type} creates")
        self.registrations[urn] = replace(self.registrations[urn], outputs=state)
        return resource_pb2.RegisterResourceResponse(urn=urn, object=struct(state))

    def child(self, parent: str, type_: str, name: str, inputs: Mapping[str, Any], **more: Any) -> Registration:
        """Registers a child that a component's provider creates; `more` contains further fields of `Registration`."""
        urn, custom = self.urn(parent, type_, name), bool(more.get("custom", True))
        request = resource_pb2.RegisterResourceRequest(
            type=type_,
            name=name,
            parent=parent,
            custom=custom,
            object=struct(inputs),
            provider=more.get("options", {}).get("provider", ""),
            dependencies=more.get("dependencies", ()),
            propertyDependencies={
                key: resource_pb2.RegisterResourceRequest.PropertyDependencies(urns=urns)
                for key, urns in more.get("property_dependencies", {}).items()
            },
        )
        # The engine also calls a program's transforms for the children of remote components.
        request = self._transforms.of(request, urn)
        inputs = self._plain(request.object)
        region = self.region_of(request.provider)
        id_, outputs = self._answer(urn, type_, name, inputs, region) if custom else ("", {})
        made = _registration(request, urn, inputs, id_, outputs)
        self._add(made)
        return made

    def _eks_cluster(self, request: Any, urn: str, args: dict[str, Any]) -> dict[str, Any]:
        eks_component.refuse_unmodelled(request.name, args)
        role = self.registrations[args["serviceRole"]]
        inputs = eks_component.cluster_inputs(request.name, args, role.outputs.get("arn", UNKNOWN))
        name = f"{request.name}-eksCluster"
        cluster_urn = self.urn(urn, eks_component.CLUSTER, name)
        id_, outputs = self._answer(cluster_urn, eks_component.CLUSTER, name, inputs, self.region)
        dependencies = {"roleArn": (role.urn,)}
        if subnets := tuple(sorted(request.propertyDependencies["subnetIds"].urns)):
            dependencies["vpcConfig"] = subnets
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
        state = eks_component.cluster_outputs(
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
            raise DuplicateName(f"Duplicate resource URN '{registration.urn}'; try giving it a unique name")
        self.registrations[registration.urn] = registration

    def RegisterResourceOutputs(self, request: Any) -> Any:
        known = self.registrations[request.urn]
        outputs = {**known.outputs, **self._plain(request.outputs)}
        secrets = known.secrets | {key for key in outputs if has_secret(request.outputs, key)}
        self.registrations[request.urn] = replace(known, outputs=outputs, secrets=frozenset(secrets))
        if known.type == _STACK:
            self.secret_outputs = frozenset(secrets)
        return Empty()

    def Invoke(self, request: Any) -> Any:
        if request.tok == "pulumi:pulumi:getResource":
            return self._get_resource(self._plain(request.args)["urn"])
        if self.lenient:
            return self._ask(request.tok, self._plain(request.args), self.region_of(request.provider))
        if request.tok == _GET_CLUSTER:
            return self._get_cluster(self._plain(request.args)["name"])
        if request.tok == _GET_CALLER:
            # All ARNs in a plan have the same account.
            caller = answer_invoke(_GET_CALLER, {}, InvokeAccount(self.region, self._facts))
            assert caller is not None
            return resource_pb2.ResourceInvokeResponse(**{"return": struct(caller.values)})
        raise NotModelled(f"invoke of {request.tok}")

    def _get_resource(self, urn: str) -> Any:
        found = self.known(urn)
        if found is None:
            raise NotModelled(f"a reference to {urn}, which the program does not register")
        answer = {"urn": urn, "id": "" if found.id is UNKNOWN else found.id, "state": dict(found.outputs)}
        return resource_pb2.ResourceInvokeResponse(**{"return": struct(answer)})

    def _ask(self, token: str, args: Mapping[str, Any], region: str) -> Any:
        """An invoke of another team's program. If there is no answer, the whole result is unknown, as in the engine if
        an argument is not known yet."""
        if has_unknown(args):
            return resource_pb2.ResourceInvokeResponse(unknown=True)
        answered = answer_invoke(token, args, InvokeAccount(region, self._facts))
        elsewhere = answer_invoke(token, args, InvokeAccount(_FAR_AWAY, self._facts)) if self._assumed else answered
        if region == self.region and answered != elsewhere:
            self.not_modelled(token, f"the Region is not set, so Muster answers as in {region}")
        if answered is None:
            self.not_modelled(token, "only the provider knows the answer")
            return resource_pb2.ResourceInvokeResponse(unknown=True)
        if answered.made_up:
            self.not_modelled(token, f"only AWS knows {answered.made_up}")
        if answered.unseen:
            self.not_modelled(token, answered.unseen)
        return resource_pb2.ResourceInvokeResponse(**{"return": struct(answered.values)})

    def Call(self, request: Any) -> Any:
        """A method of a component, which its provider implements."""
        self.not_modelled(request.tok, "only the provider knows the answer")
        # One unknown value makes the whole result unknown; a result without any value would be None.
        return provider_pb2.CallResponse(**{"return": struct({"result": UNKNOWN})})

    def _get_cluster(self, name: str) -> Any:
        """An existing cluster of the description; only AWS knows others."""
        if name not in self._existing_clusters:
            raise NotModelled(f"only AWS knows the EKS cluster '{name}'")
        answer = existing_cluster(name, self.region, self._existing_clusters[name])
        return resource_pb2.ResourceInvokeResponse(**{"return": struct(answer)})

    def ReadResource(self, request: Any) -> Any:
        if request.type == _STACK_REFERENCE:
            return self._stack_reference(request)
        if self.lenient:
            return self._read(request)
        raise NotModelled(f"{request.type}.get('{request.name}'): only AWS knows existing resources")

    def _read(self, request: Any) -> Any:
        """An existing resource: its id and the properties that the program gives are known. Rules do not evaluate it,
        as in the engine."""
        urn = self.urn(request.parent, request.type, request.name)
        id_ = UNKNOWN if request.id in UNKNOWN_ON_THE_WIRE else request.id
        given = self._plain(request.properties)
        masked = _default_if_unset(computed_properties(urn, request.type, request.name, given, self.region), given)
        named = {key: id_ for key in ("name", "bucket") if masked.get(key) is UNKNOWN}
        outputs = {**given, **masked, **named}
        self._reads[urn] = Registration(
            urn, request.type, request.name, given, parent=request.parent, id=id_, outputs=outputs
        )
        return resource_pb2.ReadResourceResponse(urn=urn, id=request.id, properties=struct(outputs))

    def _stack_reference(self, request: Any) -> Any:
        """The outputs of another stack, secret if that stack marks them as secret. They are also known in a preview."""
        exported = self._stack_outputs.get(request.id)
        if exported is None and self.lenient:
            urn = self.urn(request.parent, request.type, request.name)
            self.not_modelled(
                urn, (f"the outputs of stack '{request.id}' are in its backend, which Muster does not read")
            )
            answer = {"name": request.id, "outputs": UNKNOWN, "secretOutputNames": UNKNOWN}
            self._reads[urn] = Registration(urn, request.type, request.name, {}, id=request.id, outputs=answer)
            return resource_pb2.ReadResourceResponse(urn=urn, id=request.id, properties=struct(answer))
        if exported is None:
            raise NotModelled(
                f"the outputs of stack '{request.id}' are in its backend, which the offline monitor does not read"
            )
        urn = self.urn(request.parent, request.type, request.name)
        inputs = self._plain(request.properties)
        names = sorted(exported.secret_outputs)
        answer = {"name": request.id, "outputs": dict(exported.outputs), "secretOutputNames": names}
        self._add(
            Registration(urn, request.type, request.name, inputs, parent=request.parent, id=request.id, outputs=answer)
        )
        outputs = {name: secret(value) if name in names else value for name, value in exported.outputs.items()}
        return resource_pb2.ReadResourceResponse(urn=urn, properties=struct({**answer, "outputs": outputs}))

    def RegisterStackTransform(self, request: Any) -> Any:
        self._transforms.of_stack(request)
        return Empty()

    def RegisterStackInvokeTransform(self, request: Any) -> Any:  # noqa: ARG002 - the protocol's own signature
        if self.lenient:
            self.not_modelled("pulumi.runtime.register_invoke_transform", "Muster does not call transforms of invokes")
        return Empty()

    def ExistsResource(self, request: Any) -> Any:
        if self.lenient:
            self.not_modelled(
                f"{request.type} {request.id}", "only AWS knows whether it exists; Muster assumes that it does not"
            )
            return resource_pb2.ExistsResourceResponse(exists=False)
        raise NotModelled(f"only AWS knows whether {request.type} {request.id} exists")


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
"""The resource options that are recorded, by their names in the request."""


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
        source=_source(request),
    )


def _source(request: Any) -> tuple[str, int] | None:
    """The innermost line of the program's code that leads to a registration; lines of libraries do not count."""
    if request.type == _STACK:
        return None
    frames = [frame.pc for frame in request.stackTrace.frames] or [request.sourcePosition]
    for each in frames:
        file = url2pathname(urlsplit(each.uri).path)
        if file and "site-packages" not in file and not file.startswith("<"):
            return file, each.line
    return None
