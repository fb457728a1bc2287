"""The token that a kubeconfig's program says: `aws eks get-token` and its like.

By Kubernetes' "client-go credential plugins". Run here and not by the library, which knows no
`client.authentication.k8s.io/v1`, tells the program nothing of what it asks, and waits for ever.
"""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from muster.live.faults import NoAccess
from muster.live.kubeconfig import Json, Kubeconfig

_PATIENCE = 30.0
_VERSIONS = tuple(f"client.authentication.k8s.io/{version}" for version in ("v1", "v1beta1", "v1alpha1"))


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a program said."""

    token: str | None
    certificate: str | None = None
    key: str | None = None


def ask(config: Kubeconfig, patience: float = _PATIENCE) -> Credentials:
    """Runs the program; it gets no terminal to ask on.

    Raises:
        NoAccess: it is not there, refuses, or says nothing of use.
    """
    wanted = config.program
    version, command = wanted.get("apiVersion"), wanted.get("command") or ""
    if version not in _VERSIONS:
        raise NoAccess(f"the kubeconfig's exec is of {version}, which Muster does not know; it knows {_VERSIONS[0]}")
    program = _found(command, config.folder)
    if program is None:
        hint = " ".join(str(wanted.get("installHint") or "install it, or choose another context").split())
        raise NoAccess(f"the kubeconfig gets its token from '{command}', which is not on PATH; {hint}")
    asked = {"apiVersion": version, "kind": "ExecCredential", "spec": {"interactive": False}}
    environment = {
        **os.environ,
        "KUBERNETES_EXEC_INFO": json.dumps(asked),
        **{each["name"]: each["value"] for each in wanted.get("env") or ()},
    }
    line = [program, *(wanted.get("args") or ())]
    try:
        done = subprocess.run(  # noqa: S603  (the user's own kubeconfig names it; no shell)
            line,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=patience,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NoAccess(f"'{command}' said no token within {patience:.0f} s; {_BY_HAND} '{config.context}'") from None
    except ValueError:  # a NUL
        raise NoAccess(f"'{command}' cannot be given its arguments; {_BY_HAND} '{config.context}'") from None
    except OSError as fault:
        raise NoAccess(f"'{command}', which the kubeconfig gets its token from, cannot run: {fault.strerror}") from None
    if done.returncode:
        said = _without_secrets(" ".join(done.stderr.split()), wanted)[-500:] or f"exit code {done.returncode}"
        raise NoAccess(f"'{command}' gave no token: {said}; {_BY_HAND} '{config.context}'")
    return _read(done.stdout, command)


def _found(command: str, folder: Path) -> str | None:
    """On PATH, or, where a folder is named, from the kubeconfig's own."""
    return shutil.which(str(folder / command) if os.sep in command else command) if command else None


_BY_HAND = "run it by hand, as the kubeconfig says for context"
"""Not with its arguments: a client's secret may be among them."""

_SECRET = re.compile(r"secret|password|token|key|credential", re.IGNORECASE)


def _without_secrets(said: str, program: Json) -> str:
    """Programs repeat what they were given: without what is called a secret, in arguments or variables."""
    arguments = [*(program.get("args") or ()), ""]
    pairs = [
        *(each.partition("=")[::2] for each in arguments),
        *((each, following) for each, following in pairwise(arguments) if each.startswith("-") and "=" not in each),
        *((each["name"], each["value"]) for each in program.get("env") or ()),
    ]
    for name, value in pairs:
        if value and _SECRET.search(name):
            said = said.replace(value, "...")
    return said


def _read(text: str, command: str) -> Credentials:
    try:
        status: Any = json.loads(text).get("status", {})
        token, certificate, key = (status.get(each) for each in ("token", "clientCertificateData", "clientKeyData"))
    except (ValueError, AttributeError):
        token = certificate = key = None
    if not token and not (certificate and key):
        raise NoAccess(f"'{command}' said no token (no ExecCredential with a status.token)")
    return Credentials(token, certificate, key)
