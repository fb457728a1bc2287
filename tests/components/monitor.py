"""The offline monitor over gRPC: for a provider in the same process, it is the engine."""

from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from threading import Lock
from typing import Any

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, resource_pb2, resource_pb2_grpc

from muster.offline.eks_component import NotModelled
from muster.offline.monitor import DuplicateName, OfflineMonitor

_METHODS = ("GetDeploymentInfo", "Invoke", "ReadResource", "RegisterPackage", "RegisterResource")
_METHODS += ("RegisterResourceOutputs", "SignalAndWaitForShutdown")
_WITHOUT_WORDS = frozenset({"outputValues"})
"""Features that the offline monitor does not support: values would arrive wrapped."""


class _Engine(engine_pb2_grpc.EngineServicer):
    def __init__(self) -> None:
        self._root = ""

    def Log(self, request: Any, context: Any) -> Any:
        return Empty()

    def GetRootResource(self, request: Any, context: Any) -> Any:
        return engine_pb2.GetRootResourceResponse(urn=self._root)

    def SetRootResource(self, request: Any, context: Any) -> Any:
        self._root = request.urn
        return engine_pb2.SetRootResourceResponse()

    def RequirePulumiVersion(self, request: Any, context: Any) -> Any:
        return engine_pb2.RequirePulumiVersionResponse()


class _Monitor(resource_pb2_grpc.ResourceMonitorServicer):
    """Answers one request at a time."""

    def __init__(self, monitor: OfflineMonitor) -> None:
        self._lock = Lock()
        for name in _METHODS:
            setattr(self, name, self._asking(getattr(monitor, name)))

    def SupportsFeature(self, request: Any, context: Any) -> Any:
        return resource_pb2.SupportsFeatureResponse(hasSupport=request.id not in _WITHOUT_WORDS)

    def _asking(self, method: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
        def handle(request: Any, context: Any) -> Any:
            try:
                with self._lock:
                    return method(request)
            except DuplicateName as fault:
                context.abort(grpc.StatusCode.ALREADY_EXISTS, str(fault))
            except NotModelled as fault:
                context.abort(grpc.StatusCode.UNIMPLEMENTED, str(fault))

        return handle


@contextmanager
def serve(monitor: OfflineMonitor) -> Iterator[str]:
    """Serves a monitor on this machine only, and yields the address."""
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=32))
    resource_pb2_grpc.add_ResourceMonitorServicer_to_server(_Monitor(monitor), server)
    engine_pb2_grpc.add_EngineServicer_to_server(_Engine(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(grace=None)
