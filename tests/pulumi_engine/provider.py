"""The stand-in for the plugins of aws, aws-native and kubernetes, a gRPC `ResourceProvider` to attach to.

One server and port for each package, since nothing in a request tells which package is meant. In previews, computed
outputs and optional-computed inputs that were left out are unknown; when made, they get plausible values. What is not
modelled is an error that says so, never a guess.
"""

# The methods have the names of the protocol.
# ruff: noqa: N802

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from typing import Any, Self

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from tests.pulumi_engine import lives
from tests.pulumi_engine.cloudformation import STACK, refused_update
from tests.pulumi_engine.components import NotModelledError, construct
from tests.pulumi_engine.facts import ACCOUNT, DEFAULT_REGION
from tests.pulumi_engine.language_host import LanguageHost
from tests.pulumi_engine.refusals import RefusedError, is_forgotten, refusal
from tests.pulumi_engine.shapes import UnknownTypeError
from tests.pulumi_engine.wire import Properties, has_unknown, pack, plain, unpack

PACKAGES = ("aws", "aws-native", "kubernetes")
"""The packages that stand-ins are started for."""

LEAVES_REPLACING_TO_THE_SDK = frozenset({"aws-native"})
"""Plugins that say of a difference only that there is one, and to delete first what is replaced: which inputs replace,
their SDK tells the engine with the registration (pulumi-aws-native 1.84, `provider/pkg/provider/provider.go`, Diff)."""

Answer = Properties | Callable[[Properties], Properties]

KNOWN_CALLS: Mapping[str, Answer] = {
    "aws:index/getCallerIdentity:getCallerIdentity": {
        "accountId": ACCOUNT,
        "arn": f"arn:aws:iam::{ACCOUNT}:user/deployer",
        "id": ACCOUNT,
        "userId": "AIDAEXAMPLE",
    },
    "aws:index/getPartition:getPartition": {
        "dnsSuffix": "amazonaws.com",
        "id": "aws",
        "partition": "aws",
        "reverseDnsPrefix": "com.amazonaws",
    },
}
"""The function calls that every AWS program may make; a test adds its own."""


@dataclass(frozen=True, slots=True)
class Call:
    """One thing the engine asked of a plugin."""

    method: str
    token: str
    urn: str
    preview: bool = False

    @property
    def name(self) -> str:
        return self.urn.rsplit("::", 1)[-1]


@dataclass(slots=True)
class Log:
    """What the engine asked for, in order; safe to use from several threads."""

    calls: list[Call] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, call: Call) -> int:
        """Notes a call; how often the same was asked before."""
        with self._lock:
            before = self.calls.count(call)
            self.calls.append(call)
            return before

    def clear(self) -> None:
        with self._lock:
            self.calls.clear()

    def calls_of(self, method: str, token: str | None = None) -> list[Call]:
        """The calls that were meant for good, in their order: of all types, or of one."""
        return [
            call for call in self.calls if call.method == method and not call.preview and token in (None, call.token)
        ]

    def names(self, method: str) -> list[str]:
        """The logical names of the resources that were created, updated or deleted for good, in that order."""
        return [call.name for call in self.calls_of(method)]


@dataclass(slots=True)
class Clock:
    """What time it is in the cloud: a day of its own, so that no test fails because time passed."""

    now: datetime = datetime(2026, 11, 21, 12, tzinfo=UTC)


class StandIn:
    """The servers for all packages; a context manager.

    `calls` answers function calls by token; a test adds its own to KNOWN_CALLS, before or between the engine's runs.
    """

    def __init__(self, packages: Sequence[str] = PACKAGES, calls: Mapping[str, Answer] | None = None) -> None:
        self.log = Log()
        self.clock = Clock()
        self.language = LanguageHost()
        self.calls = {**KNOWN_CALLS, **(calls or {})}
        self._packages = tuple(packages)
        self._servers: dict[str, grpc.Server] = {}
        self._ports: dict[str, int] = {}

    def __enter__(self) -> Self:
        self.language.__enter__()
        limits = [("grpc.max_receive_message_length", 400 << 20), ("grpc.max_send_message_length", 400 << 20)]
        for package in self._packages:
            server = grpc.server(ThreadPoolExecutor(max_workers=32, thread_name_prefix=package), options=limits)
            plugin = _Package(package, self.log, self.calls, self.clock)
            provider_pb2_grpc.add_ResourceProviderServicer_to_server(plugin, server)
            self._ports[package] = server.add_insecure_port("127.0.0.1:0")
            server.start()
            self._servers[package] = server
        return self

    def __exit__(self, *_: object) -> None:
        self.language.__exit__()
        for server in self._servers.values():
            server.stop(grace=None)

    @property
    def attachment(self) -> str:
        """The value of PULUMI_DEBUG_PROVIDERS."""
        return ",".join(f"{package}:{port}" for package, port in self._ports.items())


class _Package(provider_pb2_grpc.ResourceProviderServicer):
    """The plugin of one package. Each provider instance has a connection of its own, told apart by its peer."""

    def __init__(self, package: str, log: Log, calls: Mapping[str, Answer], clock: Clock) -> None:
        self._package = package
        self._log = log
        self._calls = calls
        self._clock = clock
        self._settings: dict[str, lives.Settings] = {}
        self._version = metadata.version(f"pulumi_{package.replace('-', '_')}")

    # What a plugin says of itself.

    def Handshake(self, request: Any, context: grpc.ServicerContext) -> Any:
        return provider_pb2.ProviderHandshakeResponse(accept_secrets=True, accept_resources=True)

    def Attach(self, request: Any, context: grpc.ServicerContext) -> Any:
        return empty_pb2.Empty()

    def GetPluginInfo(self, request: Any, context: grpc.ServicerContext) -> Any:
        return plugin_pb2.PluginInfo(version=self._version)

    def GetSchema(self, request: Any, context: grpc.ServicerContext) -> Any:
        return provider_pb2.GetSchemaResponse(schema=json.dumps({"name": self._package, "version": self._version}))

    def Cancel(self, request: Any, context: grpc.ServicerContext) -> Any:
        return empty_pb2.Empty()

    # The provider resource.

    def CheckConfig(self, request: Any, context: grpc.ServicerContext) -> Any:
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: Any, context: grpc.ServicerContext) -> Any:
        old = unpack(request.old_inputs) or unpack(request.olds)
        new = unpack(request.news)
        changed = sorted(
            name
            for name in old.keys() | new.keys()
            if name != "version" and lives.differs(old.get(name), new.get(name))
        )
        kind = provider_pb2.DiffResponse.DIFF_SOME if changed else provider_pb2.DiffResponse.DIFF_NONE
        # Another cluster is another provider: `DiffConfig` of pulumi-kubernetes, provider/pkg/provider/provider.go.
        replaces = [name for name in changed if name == "clusterIdentifier"]
        return provider_pb2.DiffResponse(changes=kind, diffs=changed, replaces=replaces)

    def Configure(self, request: Any, context: grpc.ServicerContext) -> Any:
        arguments = plain(unpack(request.args))
        region = arguments.get("region", DEFAULT_REGION)
        tags = arguments.get("defaultTags", "{}")
        if has_unknown(tags):
            tags = "{}"
        self._settings[context.peer()] = lives.Settings(region, json.loads(tags).get("tags", {}))
        return provider_pb2.ConfigureResponse(supportsPreview=True, acceptSecrets=True, acceptResources=True)

    # The life of a resource.

    def Check(self, request: Any, context: grpc.ServicerContext) -> Any:
        with _Told(context):
            old, new = unpack(request.olds), unpack(request.news)
            inputs = lives.check(self._subject(request, context), old, new, request.randomSeed)
            return provider_pb2.CheckResponse(inputs=pack(inputs))

    def Diff(self, request: Any, context: grpc.ServicerContext) -> Any:
        change = lives.diff(_token(request.urn), unpack(request.old_inputs), unpack(request.news))
        if self._package in LEAVES_REPLACING_TO_THE_SDK and change.changed:
            return provider_pb2.DiffResponse(changes=provider_pb2.DiffResponse.DIFF_UNKNOWN, deleteBeforeReplace=True)
        kinds = provider_pb2.PropertyDiff
        return provider_pb2.DiffResponse(
            changes=provider_pb2.DiffResponse.DIFF_SOME if change.changed else provider_pb2.DiffResponse.DIFF_NONE,
            diffs=sorted(change.changed),
            replaces=sorted(change.replacing),
            deleteBeforeReplace=change.delete_first,
            hasDetailedDiff=True,
            detailedDiff={
                name: kinds(kind=kinds.UPDATE_REPLACE if name in change.replacing else kinds.UPDATE, inputDiff=True)
                for name in change.changed
            },
        )

    def Create(self, request: Any, context: grpc.ServicerContext) -> Any:
        subject = self._subject(request, context)
        life = self._log.add(Call("create", subject.token, subject.urn, request.preview))
        with _Told(context):
            inputs = unpack(request.properties)
            self._refuse(subject, inputs, preview=request.preview)
            identity, outputs = lives.create(subject, inputs, salt=str(life), preview=request.preview)
            return provider_pb2.CreateResponse(id=identity, properties=pack(outputs))

    def Read(self, request: Any, context: grpc.ServicerContext) -> Any:
        subject = self._subject(request, context)
        self._log.add(Call("read", subject.token, subject.urn))
        if is_forgotten(subject.token, plain(unpack(request.properties)), self._clock.now):
            return provider_pb2.ReadResponse()
        if request.properties.fields:
            return provider_pb2.ReadResponse(id=request.id, properties=request.properties, inputs=request.inputs)
        with _Told(context):
            inputs, outputs = lives.read(subject, request.id)
            return provider_pb2.ReadResponse(id=request.id, properties=pack(outputs), inputs=pack(inputs))

    def Update(self, request: Any, context: grpc.ServicerContext) -> Any:
        subject = self._subject(request, context)
        self._log.add(Call("update", subject.token, subject.urn, request.preview))
        with _Told(context):
            old, new = unpack(request.olds), unpack(request.news)
            self._refuse(subject, new, preview=request.preview)
            if subject.token == STACK and not request.preview and (told := refused_update(plain(old), plain(new))):
                raise RefusedError(told)
            outputs = lives.update(subject, request.id, old, new, preview=request.preview)
            return provider_pb2.UpdateResponse(properties=pack(outputs))

    def Delete(self, request: Any, context: grpc.ServicerContext) -> Any:
        self._log.add(Call("delete", _token(request.urn), request.urn))
        return empty_pb2.Empty()

    # Functions and components.

    def Invoke(self, request: Any, context: grpc.ServicerContext) -> Any:
        self._log.add(Call("invoke", request.tok, request.tok))
        arguments = unpack(request.args)
        if request.tok == "aws:index/getRegion:getRegion" and request.tok not in self._calls:
            region = arguments.get("region") or self._configured(context).region
            return _returned({"id": region, "name": region, "region": region})
        answer = self._calls.get(request.tok)
        if answer is None:
            told = f"the function {request.tok} with {json.dumps(arguments)} is not modelled by the engine stand-in"
            context.abort(grpc.StatusCode.UNIMPLEMENTED, told)
        with _Told(context):
            returned = answer(arguments) if callable(answer) else answer or {}
            return _returned(returned)

    def Call(self, request: Any, context: grpc.ServicerContext) -> Any:
        context.abort(grpc.StatusCode.UNIMPLEMENTED, f"the method {request.tok} is not modelled by the engine stand-in")

    def Construct(self, request: Any, context: grpc.ServicerContext) -> Any:
        self._log.add(Call("construct", request.type, f"::{request.name}", request.dryRun))
        with _Told(context):
            return construct(request)

    def _refuse(self, subject: lives.Subject, inputs: Properties, *, preview: bool) -> None:
        """AWS is asked only when something is made; a preview asks nothing."""
        if not preview and (told := refusal(subject.token, plain(inputs), self._clock.now)):
            raise RefusedError(told)

    def _subject(self, request: Any, context: grpc.ServicerContext) -> lives.Subject:
        return lives.Subject(_token(request.urn), request.urn, self._configured(context))

    def _configured(self, context: grpc.ServicerContext) -> lives.Settings:
        return self._settings.get(context.peer(), lives.Settings(DEFAULT_REGION, {}))


class _Told:
    """Tells the engine in plain words of what AWS refuses and of what is not modelled; any other exception is told by
    gRPC itself."""

    def __init__(self, context: grpc.ServicerContext) -> None:
        self._context = context

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, NotModelledError | UnknownTypeError):
            self._context.abort(grpc.StatusCode.UNIMPLEMENTED, str(error))
        if isinstance(error, RefusedError):
            self._context.abort(grpc.StatusCode.UNKNOWN, str(error))
        if isinstance(error, grpc.RpcError):
            self._context.abort(grpc.StatusCode.INTERNAL, f"the engine refused a registration: {error}")


def _returned(answer: Properties) -> provider_pb2.InvokeResponse:
    response = provider_pb2.InvokeResponse()
    getattr(response, "return").CopyFrom(pack(answer))
    return response


def _token(urn: str) -> str:
    """The type token of a URN, without the types of its parents."""
    return urn.split("::")[2].rsplit("$", maxsplit=1)[-1]
