"""The offline monitor over gRPC: for a program in another process, it is the engine."""

import threading
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, resource_pb2, resource_pb2_grpc

from muster.offline.eks_component import NotModelled
from muster.offline.monitor import DuplicateName, OfflineMonitor
from muster.wire import UNKNOWN_TEXT

_LIMIT = 400 << 20
_MONITOR_METHODS = (
    "Call",
    "ExistsResource",
    "GetDeploymentInfo",
    "Invoke",
    "ReadResource",
    "RegisterErrorHook",
    "RegisterPackage",
    "RegisterResource",
    "RegisterResourceHook",
    "RegisterResourceOutputs",
    "RegisterStackInvokeTransform",
    "RegisterStackTransform",
    "SignalAndWaitForShutdown",
)
_STACK = "pulumi:pulumi:Stack"
_WITHOUT_WORDS = frozenset({"outputValues"})
"""Features that the offline monitor does not support: values would arrive wrapped."""


def _set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@dataclass
class ProgramMessages:
    """The program's messages, and errors in the monitor."""

    root: str = ""
    complaints: list[str] = field(default_factory=list)
    """Warnings and errors of `pulumi.log`."""
    bug: Exception | None = None
    """The first error in the monitor itself."""
    ready: threading.Event = field(default_factory=_set)
    """Set as soon as the monitor has what it needs for answers. Until then all requests wait, except the registration
    of the stack itself; meanwhile the program imports its SDKs."""


class _Engine(engine_pb2_grpc.EngineServicer):
    def __init__(self, messages: ProgramMessages) -> None:
        self._messages = messages

    def Log(self, request: Any, context: Any) -> Any:
        if request.severity in (engine_pb2.WARNING, engine_pb2.ERROR):
            self._messages.complaints.append(str(request.message))
        return Empty()

    def GetRootResource(self, request: Any, context: Any) -> Any:
        return engine_pb2.GetRootResourceResponse(urn=self._messages.root)

    def SetRootResource(self, request: Any, context: Any) -> Any:
        self._messages.root = request.urn
        return engine_pb2.SetRootResourceResponse()

    def StartDebugging(self, request: Any, context: Any) -> Any:
        return Empty()

    def RequirePulumiVersion(self, request: Any, context: Any) -> Any:
        """Accepts any version: no engine is running that could be too old."""
        return engine_pb2.RequirePulumiVersionResponse()


class _Monitor(resource_pb2_grpc.ResourceMonitorServicer):
    """Answers one request at a time."""

    def __init__(self, monitor: OfflineMonitor, messages: ProgramMessages) -> None:
        self._monitor, self._messages = monitor, messages
        for name in _MONITOR_METHODS:
            ask = self._asking(getattr(monitor, name))
            setattr(self, name, _without_unknowns(ask) if name == "Invoke" else ask)

    def SupportsFeature(self, request: Any, context: Any) -> Any:
        return resource_pb2.SupportsFeatureResponse(hasSupport=request.id not in _WITHOUT_WORDS)

    def _asking(self, method: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
        def handle(request: Any, context: Any) -> Any:
            if getattr(request, "type", "") != _STACK:
                self._messages.ready.wait()
            try:
                with self._monitor.lock:
                    return method(request)
            except DuplicateName as fault:
                context.abort(grpc.StatusCode.ALREADY_EXISTS, str(fault))
            except NotModelled as fault:
                context.abort(grpc.StatusCode.UNIMPLEMENTED, str(fault))
            except grpc.RpcError as fault:  # a transform of the program raised
                details = fault.details() if hasattr(fault, "details") else str(fault)
                context.abort(grpc.StatusCode.UNKNOWN, f"a transform raised: {details}")
            except Exception as bug:  # noqa: BLE001 - else the program would report an error that it did not cause
                self._messages.bug = self._messages.bug or bug
                context.abort(grpc.StatusCode.INTERNAL, f"{type(bug).__name__}: {bug}")

        return handle


def _without_unknowns(ask: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Leaves unknown values out of an answer: the Python SDK refuses answers with unknown parts. The runner fills in
    placeholders of the declared types."""

    def invoke(request: Any, context: Any) -> Any:
        answer = ask(request, context)
        fields = getattr(answer, "return").fields
        for key in [key for key, each in fields.items() if each.string_value == UNKNOWN_TEXT]:
            del fields[key]
        return answer

    return invoke


@contextmanager
def serve(monitor: OfflineMonitor, messages: ProgramMessages) -> Iterator[str]:
    """Serves a monitor on this machine only, and yields the address."""
    limits = [("grpc.max_receive_message_length", _LIMIT), ("grpc.max_send_message_length", _LIMIT)]
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=32), options=limits)
    resource_pb2_grpc.add_ResourceMonitorServicer_to_server(_Monitor(monitor, messages), server)
    engine_pb2_grpc.add_EngineServicer_to_server(_Engine(messages), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        messages.ready.set()
        server.stop(grace=None)
        monitor.close()
