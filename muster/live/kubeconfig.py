"""The kubeconfig: which file, which context, and what it says, with every fault in words. Pure but for the files."""

import base64
import binascii
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muster import user_files
from muster.fleet.near_miss import did_you_mean
from muster.live.faults import NoAccess
from muster.yaml_text import NotYaml, load_all

Json = dict[str, Any]

_GET_ONE = "`aws eks update-kubeconfig --name CLUSTER` or `muster kubeconfig STACK --output FILE` writes one"

_NOT_DONE = {
    "cluster": {"tls-server-name": "checks the server's certificate against another name"},
    "user": {
        "as": "acts as somebody else",
        "auth-provider": "takes its token from a provider that Kubernetes removed in 1.26",
    },
}
"""What the library does not do: silently left out, we would look with other rights, or fail without saying why."""


@dataclass(frozen=True, slots=True)
class Kubeconfig:
    """One context of it. File names in it are whole."""

    context: str
    server: str
    cluster: Json
    user: Json
    folder: Path
    proxy: str | None = None
    program: Json = field(default_factory=dict)
    """What says the token (`users[].user.exec`); empty where none does."""


def load(given: Path | None, context: str | None, environment: Mapping[str, str] = os.environ) -> Kubeconfig:
    """The context asked for, or the current one.

    Args:
        given: a file; else those of $KUBECONFIG, else ~/.kube/config, as kubectl has it.
        context: its name.
        environment: the process's.

    Raises:
        NoAccess: there is no file, no such context, or it is not what Kubernetes takes.
    """
    found = _Merged()
    for file in _files(given, environment):
        found.add(file)
    return found.choose(context)


def _files(given: Path | None, environment: Mapping[str, str]) -> list[Path]:
    if given is not None:
        if not given.is_file():
            raise NoAccess(f"no kubeconfig {given}: {'it is a folder' if given.is_dir() else 'there is no such file'}")
        return [given]
    named = [Path(each).expanduser() for each in environment.get("KUBECONFIG", "").split(os.pathsep) if each]
    wanted = named or [Path.home() / ".kube" / "config"]
    there = [each for each in wanted if each.is_file()]
    if not there:
        which = "$KUBECONFIG names" if named else "give --kubeconfig FILE or set KUBECONFIG; there is no"
        raise NoAccess(
            f"no kubeconfig: {which} {', '.join(map(str, wanted))}{', which is not there' if named else ''}; {_GET_ONE}"
        )
    return there


class _Merged:
    """Several files as one, as kubectl merges them: what is said first counts."""

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
            raise NoAccess(f"{file} is no kubeconfig: it has no clusters, contexts and users; {_GET_ONE}")
        self.current = self.current or _text(data, "current-context", str(file))
        for listed, known in self.named.items():
            for name, what in _named(data.get(listed), listed, file):
                known.setdefault(name, (what, file.resolve().parent))

    def choose(self, name: str | None) -> Kubeconfig:
        files, contexts = ", ".join(map(str, self.files)), self.named["contexts"]
        if not contexts:
            raise NoAccess(f"{files} is no kubeconfig: it has no context; {_GET_ONE}")
        name = name if name is not None else self.current
        there = f"(there are: {', '.join(sorted(contexts))})"
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
            raise NoAccess(f"cluster '{named['cluster']}' in {files} has no server: an address, as in https://HOST")
        for kind, (part, called) in {
            "cluster": (cluster, named["cluster"]),
            "user": (user, named["user"]),
        }.items():
            for key, does in _NOT_DONE[kind].items():
                if part.get(key):
                    raise NoAccess(
                        f"{kind} '{called}' in {files} {does} ({key}), which Muster does not do; choose another context"
                    )
        return Kubeconfig(
            context=name,
            server=server.rstrip("/"),
            cluster=_whole_names(cluster, at, ("certificate-authority",)),
            user=_whole_names(user, of, ("client-certificate", "client-key", "tokenFile")),
            folder=of,
            proxy=_text(cluster, "proxy-url", files) or None,
            program=_program(user.get("exec"), f"user '{named['user']}' in {files}"),
        )

    def _part(self, listed: str, context: str, name: str, files: str) -> tuple[Json, Path]:
        known = self.named[listed]
        if name not in known:
            near = did_you_mean(name, known)
            raise NoAccess(f"context '{context}' in {files} names the {listed[:-1]} '{name}', which is not there{near}")
        return known[name]


_QUOTED = re.compile(r"""(['"])(?!<[a-z ]+>\1)..+\1""")
"""A word of the file in a parser's sentence: more than one character, and not the name of a part (``<scalar>``)."""


def _unreadable(fault: NotYaml) -> str:
    """What is wrong and where, without a word of the file: it holds secrets."""
    place = f" (line {fault.line}, column {fault.column})" if fault.line else ""
    return f"{_QUOTED.sub('...', fault.problem)}{place}"


_TEXTS = {
    "cluster": ("server", "certificate-authority", "certificate-authority-data", "proxy-url", "tls-server-name"),
    "user": (
        *("client-certificate", "client-certificate-data", "client-key", "client-key-data"),
        *("token", "tokenFile", "username", "password", "as"),
    ),
}
"""What is text, of what is read here or by the library."""


def _text(part: Json, key: str, where: str) -> str:
    """Empty where it is not there."""
    value = part.get(key)
    if value is not None and not isinstance(value, str):
        raise NoAccess(f"{where} is not what Kubernetes takes: {key} is no text; {_GET_ONE}")
    return value or ""


def _named(value: Any, listed: str, file: Path) -> Iterator[tuple[str, Json]]:
    """A list's parts by their names."""
    for each in value if isinstance(value, list) else [] if value is None else [value]:
        what = each.get(listed[:-1]) if isinstance(each, dict) else None
        if not isinstance(value, list) or not isinstance(what, dict) or not isinstance(each.get("name"), str):
            raise NoAccess(f"{file} is no kubeconfig: {listed} is not a list of names, each with {listed[:-1]}:")
        yield each["name"], what


def _program(value: Any, where: str) -> Json:
    """`exec`, as it is run; empty where there is none."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise NoAccess(f"{where} is not what Kubernetes takes: exec is no mapping with a command; {_GET_ONE}")
    for key in ("apiVersion", "command", "installHint"):
        _text(value, key, f"exec of {where}")
    arguments, variables = (value.get(key) or [] for key in ("args", "env"))
    if not isinstance(arguments, list) or not all(isinstance(each, str) for each in arguments):
        raise NoAccess(f"exec of {where} is not what Kubernetes takes: args is no list of texts; {_GET_ONE}")
    if not isinstance(variables, list) or not all(map(_is_variable, variables)):
        raise NoAccess(
            f"exec of {where} is not what Kubernetes takes: env is no list of variables, each with a name and a value, "
            f"which are text; {_GET_ONE}"
        )
    return value


def _is_variable(value: Any) -> bool:
    """Of a name and a value that a process can be given."""
    if not isinstance(value, dict):
        return False
    name, text = value.get("name"), value.get("value")
    return isinstance(name, str) and bool(name) and "=" not in name and isinstance(text, str)


def _whole_names(part: Json, folder: Path, keys: tuple[str, ...]) -> Json:
    """With files named from the root, each of which is there, and data that can be read."""
    made = dict(part)
    for key in keys:
        if made.get(key):
            file = folder / str(made[key])
            if not file.is_file():
                raise NoAccess(f"the kubeconfig names {file} ({key}), which is not there")
            made[key] = str(file)
        data = f"{key}-data"
        if made.get(data):
            try:
                base64.b64decode(made[data], validate=True)
            except (binascii.Error, ValueError):
                raise NoAccess(f"the kubeconfig's {data} is not base64; {_GET_ONE}") from None
    return made
