"""Components that live in a plugin, made as the plugins make them: `Construct`, answered by registrations.

They record no inputs: the real plugins register theirs without any, so policies never see what a `ConfigFile` was
given. The objects in a manifest, chart or folder come from the network, which no test has.
"""

from typing import Self

import grpc
from pulumi.runtime.proto import provider_pb2, resource_pb2, resource_pb2_grpc

from tests.pulumi_engine.wire import Properties, pack

MANIFESTS = frozenset(
    {
        "kubernetes:helm.sh/v4:Chart",
        "kubernetes:kustomize/v2:Directory",
        "kubernetes:yaml/v2:ConfigFile",
        "kubernetes:yaml/v2:ConfigGroup",
    }
)


class NotModelledError(Exception):
    """The program asks for something that the real plugin could do and this stand-in cannot."""


class Monitor:
    """The engine's resource monitor, as a plugin under `Construct` sees it."""

    def __init__(self, request: provider_pb2.ConstructRequest) -> None:
        self._channel = grpc.insecure_channel(
            request.monitorEndpoint, options=[("grpc.max_receive_message_length", 400 << 20)]
        )
        self._stub = resource_pb2_grpc.ResourceMonitorStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._channel.close()

    def component(self, request: provider_pb2.ConstructRequest) -> str:
        """Registers the component itself; its URN."""
        answer = self._stub.RegisterResource(
            resource_pb2.RegisterResourceRequest(
                type=request.type,
                name=request.name,
                parent=request.parent,
                dependencies=request.dependencies,
                providers=request.providers,
                aliases=request.aliases,
                aliasSpecs=True,
                protect=request.protect if request.HasField("protect") else None,
                acceptSecrets=True,
                acceptResources=True,
            )
        )
        return str(answer.urn)

    def finish(self, urn: str, outputs: Properties) -> None:
        """Registers the component's outputs."""
        self._stub.RegisterResourceOutputs(resource_pb2.RegisterResourceOutputsRequest(urn=urn, outputs=pack(outputs)))


def construct(request: provider_pb2.ConstructRequest) -> provider_pb2.ConstructResponse:
    """Makes the component that is asked for.

    Raises NotModelledError for any component but those this module knows.
    """
    if request.type not in MANIFESTS:
        raise NotModelledError(
            f"the component {request.type} ({request.name!r}) is not modelled by the engine stand-in"
        )
    state: Properties = {"resources": []}
    with Monitor(request) as monitor:
        urn = monitor.component(request)
        monitor.finish(urn, state)
    return provider_pb2.ConstructResponse(urn=urn, state=pack(state))
