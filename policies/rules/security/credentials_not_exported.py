"""Outputs that let their readers in."""

import json
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from pydantic import Field

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, Output
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.credentials import credentials_in
from policies.reading.unknowns import veiled
from policies.rule import Rule, Verdict, rule
from policies.words import some

_KUBECONFIG = re.compile(r"kube-?_?config", re.IGNORECASE)
_TELLING = re.compile(r"(password|passwd|token|private-?_?key|secret-?_?access-?_?key)$", re.IGNORECASE)
_IN_TEXT = re.compile(r"[\"']?\bclusters[\"']?\s*:.*[\"']?\busers[\"']?\s*:", re.DOTALL)


_POINTER = re.compile(r"(arn:aws[\w-]*:|https?://|s3://|/)")
"""What leads to a credential, and is none: an ARN, an address, a parameter's path."""
_LETS_IN = re.compile(r"\b(token|password|client-key-data)\b[\"']?\s*:\s*[\"']?[^\s\"',}]")
"""What of a kubeconfig is a credential; `exec` asks whoever uses it for theirs."""
_EXECUTES = re.compile(r"\b(exec|auth-provider)\b[\"']?\s*:")


class Meant(Options):
    """Outputs that are meant to be read."""

    outputs: tuple[str, ...] = Field(default=(), description="Names of outputs (`*` for anything).")


@rule(
    "credentials-not-exported",
    title="A kubeconfig, and whatever else lets people in, is a secret output",
    judges=Output,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="A plain output stands in the stack's state, in the console, in logs of every pipeline that prints it, and in "
    "every stack that refers to this one. A kubeconfig with a token or a key is the cluster.",
    source="Pulumi, Secrets",
    remedy="Wrap the output in pulumi.Output.secret.",
    facts=("pulumi#secrets",),
    options=Meant,
)
def credentials_not_exported(output: Output, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if output.secret or output.value == "":
        return
    name, held = output.ref.name, credentials_in(output.value)
    if any(fnmatchcase(name, each) for each in Meant.of(rule.settings).outputs):
        return
    remedy = f'export it as a secret: pulumi.export("{name}", pulumi.Output.secret(...))'
    if not held and _is_kubeconfig(name, output.value):
        if isinstance(output.value, str | Mapping) and not _lets_in(output.value):
            got = "exports a kubeconfig in plain text: it lets nobody in by itself, and tells where the cluster is"
            yield rule.configured(Level.ADVISORY).finding(output.place, got, remedy)
            return
        if output.value is not UNKNOWN:
            held = ("a kubeconfig",)
        else:
            yield rule.configured(Level.ADVISORY).finding(output.place, "exports a kubeconfig in plain text", remedy)
    elif not held and _TELLING.search(name) and isinstance(output.value, str) and not _POINTER.match(output.value):
        held = ("a credential, by its name,",)
    if held:
        yield rule.finding(output.place, f"exports {some(held)} in plain text", remedy)
    elif veiled(output.value):
        yield rule.unjudged(output.place, "its value, not known before creation")


def _is_kubeconfig(name: str, value: Any) -> bool:
    """By its name, or by its form."""
    if isinstance(value, Mapping):
        return "clusters" in value and "users" in value
    if isinstance(value, str) and _IN_TEXT.search(value):
        return True
    return bool(_KUBECONFIG.search(name)) and (value is UNKNOWN or isinstance(value, str))


def _lets_in(kubeconfig: str | Mapping[str, Any]) -> bool:
    """Whether it has a credential of its own, or something of it is not known."""
    if not isinstance(kubeconfig, str) and veiled(kubeconfig):
        return True
    text = kubeconfig if isinstance(kubeconfig, str) else json.dumps(kubeconfig)
    return bool(_LETS_IN.search(text)) or not _EXECUTES.search(text)
