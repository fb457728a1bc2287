"""Outputs that let their readers in."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.resources import Fleet, Output
from muster.fleet.unknown import UNKNOWN
from policies.reading.credentials import credentials_in
from policies.reading.unknowns import veiled
from policies.rule import Rule, Verdict, rule
from policies.words import some

_KUBECONFIG = re.compile(r"kube-?_?config", re.IGNORECASE)
_TELLING = re.compile(r"(password|passwd|token|private-?_?key|secret-?_?access-?_?key)$", re.IGNORECASE)
_IN_TEXT = re.compile(r"[\"']?\bclusters[\"']?\s*:.*[\"']?\busers[\"']?\s*:", re.DOTALL)


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
)
def credentials_not_exported(output: Output, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if output.secret or output.value is None or output.value == "":
        return
    name, held = output.ref.name, credentials_in(output.value)
    if _is_kubeconfig(name, output.value):
        held = ("a kubeconfig",)
    elif not held and _TELLING.search(name) and (isinstance(output.value, str) or output.value is UNKNOWN):
        held = ("a credential, by its name,",)
    if held:
        remedy = f'export it as a secret: pulumi.export("{name}", pulumi.Output.secret(...))'
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
