"""The kubeconfig: its file, its context, and the token that its program prints.

lightkube also reads kubeconfigs, but only one file, and an error in it becomes a KeyError or a message of msgspec
without the name of the file. Its `exec` supports neither `client.authentication.k8s.io/v1` nor a client certificate,
sets no KUBERNETES_EXEC_INFO, waits forever, lets the program prompt, and prints its stderr with secrets.
"""

import base64
import binascii
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from muster import child_process, user_files
from muster.message_text import did_you_mean
from muster.yaml_text import NotYaml, load_all


class NoAccess(Exception):
    """The cluster cannot be read; the message has the reason and the remedy."""


Json = dict[str, Any]

_GET_ONE = "write one with `aws eks update-kubeconfig --name CLUSTER`"

_NOT_DONE = {
    "cluster": {"tls-server-name": "checks the server's certificate against another name"},
    "user": {
        "as": "impersonates another user",
        "auth-provider": "gets its token from a provider that Kubernetes removed in 1.26",
    },
}
"""Settings that lightkube ignores. It would read the cluster with other permissions, or fail without a reason."""


@dataclass(frozen=True, slots=True)
class Kubeconfig:
    """One context. File names in it are absolute."""

    context: str
    server: str
    cluster: Json
    user: Json
    folder: Path
    proxy: str | None = None
    program: Json = field(default_factory=dict)
    """The program that prints the token (`users[].user.exec`); empty if there is none."""


def load(given: Path | None, context: str | None, environment: Mapping[str, str] = os.environ) -> Kubeconfig:
    """The context with this name, or the current one.

    Args:
        given: a file. Default: the files of $KUBECONFIG, else ~/.kube/config, as in kubectl.
        context: its name.
        environment: the environment of the process.

    Raises:
        NoAccess: there is no file, no such context, or it is invalid.
    """
    found = _Merged()
    for file in _files(given, environment):
        found.add(file)
    return found.choose(context)


def _files(given: Path | None, environment: Mapping[str, str]) -> list[Path]:
    if given is not None:
        if not given.is_file():
            raise NoAccess(
                f"no kubeconfig {given}: {'it is a folder' if given.is_dir() else 'the file does not exist'}"
            )
        return [given]
    named = [Path(each).expanduser() for each in environment.get("KUBECONFIG", "").split(os.pathsep) if each]
    files = named or [Path.home() / ".kube" / "config"]
    there = [each for each in files if each.is_file()]
    if not there:
        names = ", ".join(map(str, files))
        why = f"give --kubeconfig FILE or set KUBECONFIG; there is no {names}"
        if named:
            why = f"$KUBECONFIG is {names}, which {'does' if len(files) == 1 else 'do'} not exist"
        raise NoAccess(f"no kubeconfig: {why}; {_GET_ONE}")
    return there


class _Merged:
    """Several files as one, merged like kubectl: the first definition of a name counts."""

    def __init__(self) -> None:
        self.files: list[Path] = []
        self.current = ""
        self.named: dict[str, dict[str, tuple[Json, Path]]] = {"clusters": {}, "contexts": {}, "users": {}}

    def add(self, file: Path) -> None:
        self.files.append(file)
        try:
            (data, *_) = load_all(user_files.read_text(file, user_files.MANIFEST)) or [None]
        except user_files.CannotRead as fault:
            raise NoAccess(f"kubeconfig {file}: {fault}") from None
        except NotYaml as fault:
            raise NoAccess(f"kubeconfig {file} {_unreadable(fault)}") from None
        if not isinstance(data, dict):
            raise NoAccess(f"{file} is not a kubeconfig: it has no clusters, contexts and users; {_GET_ONE}")
        self.current = self.current or _text(data, "current-context", str(file))
        for listed, known in self.named.items():
            for name, what in _named(data.get(listed), listed, file):
                known.setdefault(name, (what, file.resolve().parent))

    def choose(self, name: str | None) -> Kubeconfig:
        files, contexts = ", ".join(map(str, self.files)), self.named["contexts"]
        if not contexts:
            raise NoAccess(f"{files} is not a kubeconfig: it has no context; {_GET_ONE}")
        name = name if name is not None else self.current
        there = f"(contexts: {', '.join(sorted(contexts))})"
        if not name:
            raise NoAccess(f"{files} has no current context; choose one with --context {there}")
        if name not in contexts:
            raise NoAccess(f"no context '{name}' in {files}{did_you_mean(name, contexts)} {there}")
        context, _ = contexts[name]
        named = {kind: _text(context, kind, f"context '{name}' in {files}") for kind in ("cluster", "user")}
        cluster, at = self._part("clusters", name, named["cluster"], files)
        user, of = self._part("users", name, named["user"], files) if named["user"] else ({}, at)
        for kind, part in (("cluster", cluster), ("user", user)):
            for key in _TEXTS[kind]:
                _text(part, key, f"{kind} '{named[kind]}' in {files}")
        server = _text(cluster, "server", files)
        if not server.startswith(("https://", "http://")):
            raise NoAccess(
                f"cluster '{named['cluster']}' in {files} has no server; add its address, such as https://HOST"
            )
        for kind, (part, called) in {
            "cluster": (cluster, named["cluster"]),
            "user": (user, named["user"]),
        }.items():
            for key, does in _NOT_DONE[kind].items():
                if part.get(key):
                    raise NoAccess(
                        f"{kind} '{called}' in {files} {does} ({key}), which Muster does not support; choose another "
                        "context"
                    )
        return Kubeconfig(
            context=name,
            server=server.rstrip("/"),
            cluster=_absolute_names(cluster, at, ("certificate-authority",)),
            user=_absolute_names(user, of, ("client-certificate", "client-key", "tokenFile")),
            folder=of,
            proxy=_text(cluster, "proxy-url", files) or None,
            program=_program(user.get("exec"), f"user '{named['user']}' in {files}"),
        )

    def _part(self, listed: str, context: str, name: str, files: str) -> tuple[Json, Path]:
        known = self.named[listed]
        if name not in known:
            near = did_you_mean(name, known)
            raise NoAccess(f"context '{context}' in {files} has the {listed[:-1]} '{name}', which does not exist{near}")
        return known[name]


_QUOTED = re.compile(r"""(?P<plain>(['"])(?:<[a-z ]+>|.)\2)|['"].*""", re.DOTALL)
"""A quoted word in a parser's message: one character or the name of a part (``<scalar>``), or from a word of the file
to the end."""


def _unreadable(fault: NotYaml) -> str:
    """The error and its place, without words of the file, which contains secrets."""
    place = f" (line {fault.line}, column {fault.column})" if fault.line else ""
    return f"{_QUOTED.sub(lambda found: found['plain'] or '...', fault.problem)}{place}"


_TEXTS = {
    "cluster": ("server", "certificate-authority", "certificate-authority-data", "proxy-url", "tls-server-name"),
    "user": (
        *("client-certificate", "client-certificate-data", "client-key", "client-key-data"),
        *("token", "tokenFile", "username", "password", "as"),
    ),
}
"""Values that must be text, among those that this module or lightkube reads."""


def _text(part: Json, key: str, where: str) -> str:
    """The text; empty if it is missing."""
    value = part.get(key)
    if value is not None and not isinstance(value, str):
        raise NoAccess(f"{where} is invalid: {key} is not text; {_GET_ONE}")
    return value or ""


def _named(value: Any, listed: str, file: Path) -> Iterator[tuple[str, Json]]:
    """The parts of a list, by their names."""
    for each in value if isinstance(value, list) else [] if value is None else [value]:
        what = each.get(listed[:-1]) if isinstance(each, dict) else None
        if not isinstance(value, list) or not isinstance(what, dict) or not isinstance(each.get("name"), str):
            raise NoAccess(f"{file} is not a kubeconfig: {listed} is not a list of names, each with {listed[:-1]}:")
        yield each["name"], what


def _program(value: Any, where: str) -> Json:
    """The command of `exec`; empty if there is none."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise NoAccess(f"{where} is invalid: exec is not a mapping with a command; {_GET_ONE}")
    for key in ("apiVersion", "command", "installHint"):
        _text(value, key, f"exec of {where}")
    arguments, variables = (value.get(key) or [] for key in ("args", "env"))
    if not isinstance(arguments, list) or not all(isinstance(each, str) for each in arguments):
        raise NoAccess(f"exec of {where} is invalid: args is not a list of texts; {_GET_ONE}")
    if not isinstance(variables, list) or not all(map(_is_variable, variables)):
        raise NoAccess(
            f"exec of {where} is invalid: env is not a list of variables, each with a name and a value, "
            f"which are text; {_GET_ONE}"
        )
    return value


def _is_variable(value: Any) -> bool:
    """Whether it is a name and a value that a process can have in its environment."""
    if not isinstance(value, dict):
        return False
    name, text = value.get("name"), value.get("value")
    return isinstance(name, str) and bool(name) and "=" not in name and isinstance(text, str)


def _absolute_names(part: Json, folder: Path, keys: tuple[str, ...]) -> Json:
    """The part with absolute names of existing files, and with data that is base64."""
    made = dict(part)
    for key in keys:
        if made.get(key):
            file = folder / str(made[key])
            if not file.is_file():
                raise NoAccess(f"the kubeconfig refers to {file} ({key}), which does not exist")
            made[key] = str(file)
        data = f"{key}-data"
        if made.get(data):
            try:
                base64.b64decode(made[data], validate=True)
            except (binascii.Error, ValueError):
                raise NoAccess(f"the kubeconfig's {data} is not base64; {_GET_ONE}") from None
    return made


_PROGRAM_TIMEOUT_SECONDS = 30.0
_VERSIONS = tuple(f"client.authentication.k8s.io/{version}" for version in ("v1", "v1beta1", "v1alpha1"))


@dataclass(frozen=True, slots=True)
class Credentials:
    """The output of a credential program."""

    token: str | None
    certificate: str | None = None
    key: str | None = None


def run_credential_program(config: Kubeconfig, timeout: float = _PROGRAM_TIMEOUT_SECONDS) -> Credentials:
    """Runs the program, without a terminal.

    Raises:
        NoAccess: it does not exist, fails, or prints no credentials.
    """
    spec = config.program
    version, command = spec.get("apiVersion"), spec.get("command") or ""
    if version not in _VERSIONS:
        raise NoAccess(
            f"the kubeconfig's exec has version {version}, which Muster does not support; it supports {_VERSIONS[0]}"
        )
    program = _found(command, config.folder)
    if program is None:
        hint = " ".join(str(spec.get("installHint") or "install it, or choose another context").split())
        raise NoAccess(f"the kubeconfig gets its token from '{command}', which is not on PATH; {hint}")
    request = {"apiVersion": version, "kind": "ExecCredential", "spec": {"interactive": False}}
    environment = {
        **os.environ,
        "KUBERNETES_EXEC_INFO": json.dumps(request),
        **{each["name"]: each["value"] for each in spec.get("env") or ()},
    }
    line = [program, *(spec.get("args") or ())]
    try:
        done = child_process.run(line, env=environment, timeout=timeout)
    except child_process.TimeoutExpired:
        raise NoAccess(
            f"'{command}' printed no token within {timeout:.0f} s; {_RUN_IT_YOURSELF} '{config.context}'"
        ) from None
    except ValueError:  # a NUL
        raise NoAccess(f"the arguments of '{command}' are invalid; {_RUN_IT_YOURSELF} '{config.context}'") from None
    except OSError as fault:
        raise NoAccess(f"'{command}', which the kubeconfig gets its token from, cannot run: {fault.strerror}") from None
    if done.returncode:
        stderr = _without_secrets(" ".join(done.stderr.split()), spec)[-500:] or f"exit code {done.returncode}"
        raise NoAccess(f"'{command}' printed no token: {stderr}; {_RUN_IT_YOURSELF} '{config.context}'")
    return _read(done.stdout, command)


def _found(command: str, folder: Path) -> str | None:
    """The program: on PATH, or, if the command has a folder, relative to the kubeconfig's folder."""
    return shutil.which(str(folder.absolute() / command) if os.sep in command else command) if command else None


_RUN_IT_YOURSELF = "run it by hand, with the arguments in the kubeconfig for context"
"""Muster does not print its arguments, which may contain a client's secret."""

_SECRET = re.compile(r"secret|password|token|key|credential", re.IGNORECASE)


def _without_secrets(text: str, program: Json) -> str:
    """The text without the values of arguments and variables with a secret's name, which programs may print."""
    arguments = [*(program.get("args") or ()), ""]
    pairs = [
        *(each.partition("=")[::2] for each in arguments),
        *((each, following) for each, following in pairwise(arguments) if each.startswith("-") and "=" not in each),
        *((each["name"], each["value"]) for each in program.get("env") or ()),
    ]
    for name, value in pairs:
        if value and _SECRET.search(name):
            text = text.replace(value, "...")
    return text


def _read(text: str, command: str) -> Credentials:
    try:
        status: Any = json.loads(text).get("status", {})
        token, certificate, key = (status.get(each) for each in ("token", "clientCertificateData", "clientKeyData"))
    except (ValueError, AttributeError):
        token = certificate = key = None
    if not token and not (certificate and key):
        raise NoAccess(f"'{command}' printed no token (no ExecCredential with a status.token)")
    return Credentials(token, certificate, key)
