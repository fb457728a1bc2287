"""pulumi-eks with people's arguments, made on the real engine: the children that the offline monitor knows of.

`components` models the one use that Muster makes of it, and refuses every other. Programs of other teams use it as its
documentation shows: here `muster.offline.eks_cluster` says what that makes, and the engine takes the registrations.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import provider_pb2, resource_pb2

from muster.fleet.registration import Registration
from muster.offline.eks_cluster import COMPONENTS, ClusterCore, ComponentResource
from muster.unknown import UNKNOWN
from muster.wire import plain, to_wire
from tests.engine import components
from tests.engine.components import AWS_INSIDE_EKS, KUBERNETES_INSIDE_EKS, Monitor, NotModelledError
from tests.engine.facts import DEFAULT_REGION

Dependencies = resource_pb2.RegisterResourceRequest.PropertyDependencies


class Plugin:
    """The plugin of pulumi-eks, for one stack: it remembers its clusters."""

    def __init__(self) -> None:
        self._clusters: dict[str, ClusterCore] = {}

    def construct(self, request: provider_pb2.ConstructRequest) -> provider_pb2.ConstructResponse:
        """Makes a component of pulumi-eks; what others make, as ever."""
        if request.type not in COMPONENTS:
            return components.construct(request)
        with Monitor(request) as monitor:
            urn = monitor.component(request)
            engine = _Engine(monitor, self._clusters)
            asked = SimpleNamespace(
                name=request.name, providers=request.providers, propertyDependencies=request.inputDependencies
            )
            state = _struct(COMPONENTS[request.type](ComponentResource(engine, asked, urn, plain(request.inputs))))
            monitor._stub.RegisterResourceOutputs(resource_pb2.RegisterResourceOutputsRequest(urn=urn, outputs=state))
        below = provider_pb2.ConstructResponse.PropertyDependencies(urns=engine.made)
        return provider_pb2.ConstructResponse(urn=urn, state=state, stateDependencies=dict.fromkeys(state, below))


class _Engine:
    """The engine's monitor, as `eks_children` asks it."""

    preview = True

    def __init__(self, monitor: Monitor, clusters: dict[str, ClusterCore]) -> None:
        self._monitor = monitor
        self._made: dict[str, Registration] = {}
        self.eks = clusters

    @property
    def made(self) -> list[str]:
        """The URNs of all children."""
        return sorted(self._made)

    def child(self, parent: str, type_: str, name: str, inputs: Mapping[str, Any], **more: Any) -> Registration:
        custom = more.get("custom", True)
        answer = self._monitor._stub.RegisterResource(
            resource_pb2.RegisterResourceRequest(
                type=type_,
                name=name,
                parent=parent,
                custom=custom,
                object=_struct(inputs),
                provider=more.get("options", {}).get("provider", ""),
                version={"aws": AWS_INSIDE_EKS}.get(type_.partition(":")[0], KUBERNETES_INSIDE_EKS) if custom else "",
                dependencies=more["dependencies"],
                propertyDependencies={
                    key: Dependencies(urns=urns) for key, urns in more["property_dependencies"].items()
                },
                acceptResources=True,
                supportsPartialValues=True,
            )
        )
        made = Registration(
            answer.urn, type_, name, inputs, parent=parent, id=answer.id or UNKNOWN, outputs=plain(answer.object)
        )
        self._made[answer.urn] = made
        return made

    def known(self, urn: str) -> Registration | None:
        if not urn.startswith("urn:") or urn in self._made:
            return self._made.get(urn)
        state = self._monitor.state_of(urn)
        chain, _, name = urn.split("::", 2)[2].partition("::")
        inputs = {key: UNKNOWN if value == to_wire(UNKNOWN) else value for key, value in state.items()}
        return Registration(urn, chain.rpartition("$")[2], name, inputs, id=UNKNOWN, outputs=inputs)

    def region_of(self, provider: str) -> str:
        return DEFAULT_REGION

    def not_modelled(self, where: str, missing: str) -> None:
        raise NotModelledError(f"{where}: {missing}")


def _struct(values: Mapping[str, Any]) -> Struct:
    struct = Struct()
    struct.update(to_wire(dict(values)))
    return struct
