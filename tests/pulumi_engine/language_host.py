"""Pulumi's language host for Python, for machines where the engine has none on PATH: no registry of packages has it.

The engine attaches to it (`PULUMI_DEBUG_LANGUAGES`), and asks it to run programs and policy packs. It does so in
processes of their own, with the Python of the tests, as Pulumi's own host does
(github.com/pulumi/pulumi, `sdk/python/cmd/pulumi-language-python/main.go`).
"""

# The methods have the names of the protocol.
# ruff: noqa: N802

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Self

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import engine_pb2, engine_pb2_grpc, language_pb2, language_pb2_grpc, plugin_pb2

PROGRAM = Path(__file__).with_name("language_program.py")
"""Runs one program of Pulumi in its process."""


class LanguageHost(language_pb2_grpc.LanguageRuntimeServicer):
    """The server; a context manager. One engine uses it at a time."""

    def __init__(self) -> None:
        self.environment: Mapping[str, str] = {}
        """That of the engine, which a host that it starts would inherit."""
        self._engine = ""
        self._server = grpc.server(ThreadPoolExecutor(max_workers=8, thread_name_prefix="language"))
        language_pb2_grpc.add_LanguageRuntimeServicer_to_server(self, self._server)
        self._port = self._server.add_insecure_port("127.0.0.1:0")

    @property
    def attachment(self) -> str:
        """The value of `PULUMI_DEBUG_LANGUAGES`."""
        return f"python:{self._port}"

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(grace=None)

    def Handshake(self, request: Any, context: grpc.ServicerContext) -> Any:
        self._engine = request.engine_address
        return language_pb2.LanguageHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: grpc.ServicerContext) -> Any:
        return plugin_pb2.PluginInfo()

    def GetRequiredPackages(self, request: Any, context: grpc.ServicerContext) -> Any:
        """None to install: the stand-ins are attached."""
        return language_pb2.GetRequiredPackagesResponse()

    def InstallDependencies(self, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        """The environment of the tests has them."""
        yield language_pb2.InstallDependenciesResponse()

    def About(self, request: Any, context: grpc.ServicerContext) -> Any:
        return language_pb2.AboutResponse(executable=sys.executable)

    def Cancel(self, request: Any, context: grpc.ServicerContext) -> Any:
        return empty_pb2.Empty()

    def Run(self, request: Any, context: grpc.ServicerContext) -> Any:
        """Runs a program. What it prints is what the engine shows; errors it tells the engine itself."""
        environment = {
            "PULUMI_CONFIG": json.dumps(dict(request.config)),
            "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(request.configSecretKeys)),
        }
        running = subprocess.Popen(
            (sys.executable, "-u", PROGRAM, self._engine),
            cwd=request.info.program_directory,
            env={**self.environment, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        context.add_callback(running.kill)
        assert running.stdin and running.stdout and running.stderr
        running.stdin.write(request.SerializeToString())
        running.stdin.close()
        with grpc.insecure_channel(self._engine) as channel:
            engine = engine_pb2_grpc.EngineStub(channel)
            shown = [
                threading.Thread(target=_show, args=(engine, stream, severity))
                for stream, severity in ((running.stdout, engine_pb2.INFO), (running.stderr, engine_pb2.ERROR))
            ]
            for each in shown:
                each.start()
            for each in shown:
                each.join()
        return language_pb2.RunResponse(bail=running.wait() != 0)

    def RunPlugin(self, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        """Runs a policy pack, or a plugin with components, until it ends or the engine has enough of it."""
        folder, analyzer = request.info.program_directory, request.kind == "analyzer"
        command = ["-m", "pulumi.policy", *request.args, folder] if analyzer else [folder, *request.args]
        running = subprocess.Popen(
            (sys.executable, "-u", *command),
            cwd=folder if analyzer else request.pwd,
            env={**self.environment, **dict(each.split("=", 1) for each in request.env)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        context.add_callback(running.kill)
        assert running.stdout
        for line in running.stdout:
            yield language_pb2.RunPluginResponse(stdout=line)
        yield language_pb2.RunPluginResponse(exitcode=running.wait())


def _show(engine: engine_pb2_grpc.EngineStub, stream: IO[bytes], severity: Any) -> None:
    """Sends each line of the program's output to the engine, as long as the engine runs."""
    for line in stream:
        with contextlib.suppress(grpc.RpcError):
            engine.Log(engine_pb2.LogRequest(severity=severity, message=line.decode(errors="replace")))
