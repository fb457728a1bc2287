"""The component host as the engine runs it: a provider over gRPC, which registers with a monitor over gRPC."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import grpc
from google.protobuf import json_format, struct_pb2
from pulumi.provider.server import ProviderServicer
from pulumi.runtime.proto import errors_pb2, provider_pb2, provider_pb2_grpc, status_pb2

from muster.components.host import PACKAGE, Components
from muster.fleet.registration import Registration
from muster.offline.monitor import OfflineMonitor
from muster.wire import SECRET, SIGNATURE, plain
from tests.components.monitor import serve

STACK, PROJECT, REGION = "dev", "theirs", "us-west-2"


@dataclass(frozen=True, slots=True)
class Constructed:
    """What came of it."""

    registrations: tuple[Registration, ...]
    """Sorted by URN, without the component itself."""
    component: Registration | None
    outputs: Mapping[str, Any]
    secret: frozenset[str]
    """The outputs that went over the wire as secrets."""
    refused: str
    """The engine's words, where it was refused."""
    arguments: Mapping[str, str]
    """Refused argument -> why."""


def construct(
    kind: str,
    name: str,
    arguments: Mapping[str, Any],
    *,
    stack: str = STACK,
    project: str = PROJECT,
    existing: Mapping[str, Any] | None = None,
    preview: bool = False,
    region: str = REGION,
) -> Constructed:
    """Makes a component of arguments in the schema's spelling."""
    monitor = OfflineMonitor(project, stack, region, preview, existing or {}, {})
    with serve(monitor) as address:
        inputs = struct_pb2.Struct()
        inputs.update(arguments)
        request = provider_pb2.ConstructRequest(
            project=project,
            stack=stack,
            config={"aws:region": region},
            dryRun=preview,
            parallel=4,
            monitorEndpoint=address,
            type=f"{PACKAGE}:index:{kind}",
            name=name,
            inputs=inputs,
        )
        response, fault = asyncio.run(_asked(request, address))
    made = {urn: each for urn, each in monitor.registrations.items() if each.type != request.type}
    (component,) = [each for each in monitor.registrations.values() if each.type == request.type] or [None]
    state = response.state if response else struct_pb2.Struct()
    return Constructed(
        tuple(made[urn] for urn in sorted(made)),
        component,
        plain(state),
        frozenset(key for key, value in json_format.MessageToDict(state).items() if _is_secret(value)),
        fault.details() or "" if fault else "",
        _arguments(fault) if fault else {},
    )


@cache
def _provider() -> Components:
    return Components()


async def _asked(
    request: provider_pb2.ConstructRequest, engine: str
) -> tuple[provider_pb2.ConstructResponse | None, grpc.aio.AioRpcError | None]:
    server = grpc.aio.server()
    servicer = ProviderServicer(_provider(), [], engine_address=engine)
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            return await provider_pb2_grpc.ResourceProviderStub(channel).Construct(request), None
    except grpc.aio.AioRpcError as fault:
        return None, fault
    finally:
        await server.stop(None)


def _is_secret(value: Any) -> bool:
    return isinstance(value, dict) and (value.get(SIGNATURE) == SECRET or bool(value.get("secret")))


def _arguments(fault: grpc.aio.AioRpcError) -> dict[str, str]:
    """The arguments that the engine is told of."""
    told: dict[str, str] = {}
    for key, value in fault.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            status = status_pb2.Status.FromString(value)
            for detail in status.details:
                errors = errors_pb2.InputPropertiesError()
                if detail.Unpack(errors):
                    told |= {each.property_path: each.reason for each in errors.errors}
    return told
