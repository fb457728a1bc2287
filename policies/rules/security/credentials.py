"""Credentials in outputs, user data, arguments and environments."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from pydantic import Field

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, HeadNode, LaunchTemplate, LoginPool, Output, PodOwner, Queue
from muster.plain_data import mappings_at
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import UNKNOWN, has_unknown

_FORMS = {
    # IAM user guide, "reference_identifiers": AKIA for long-term keys, ASIA for temporary ones.
    "an AWS access key": re.compile(r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    "an AWS secret key": re.compile(r"aws_secret_access_key[\"']?\s*[=:]\s*[\"']?[A-Za-z0-9/+]{40}\b", re.IGNORECASE),
    "a private key": re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"),
    "a GitHub token": re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22,})\b"),
    "a Hugging Face token": re.compile(r"\bhf_[A-Za-z0-9]{34,}\b"),
    "a Weights & Biases token": re.compile(r"WANDB_API_KEY[\"']?\s*[=:]\s*[\"']?[0-9a-f]{40}\b"),
    "a password in an address": re.compile(r"\bhttps?://(?:\*\*\*|[^\s/@:\"']{0,100}:[^\s/@\"']{1,200})@"),
    "an EKS token": re.compile(r"\bk8s-aws-v1\.[A-Za-z0-9_-]{20,}"),
}
"""Kind of credential -> its pattern."""


def credentials_in(value: Any) -> tuple[str, ...]:
    """The kinds of credentials in any text of a value, sorted. Unknown parts count as none."""
    return tuple(sorted({kind for text in _texts(value) for kind, form in _FORMS.items() if form.search(text)}))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            # As one text with its key: some patterns need the key.
            if isinstance(each, str):
                yield f"{key}={each}"
            else:
                yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


_KUBECONFIG = re.compile(r"kube-?_?config", re.IGNORECASE)
_TELLING = re.compile(r"(password|passwd|token|private-?_?key|secret-?_?access-?_?key)$", re.IGNORECASE)
_CLUSTERS, _USERS = (re.compile(rf"\b{each}[\"']?\s*:") for each in ("clusters", "users"))


_POINTER = re.compile(r"(arn:aws[\w-]*:|https?://|s3://|/)")
"""What refers to a credential, and is not one: an ARN, an address, a parameter's path."""
_LETS_IN = re.compile(r"\b(token|password|client-key-data)\b[\"']?\s*:\s*[\"']?[^\s\"',}]")
"""The parts of a kubeconfig that are credentials. `exec` uses the credentials of the caller instead."""
_EXECUTES = re.compile(r"\b(exec|auth-provider)\b[\"']?\s*:")


class Meant(Options):
    """Outputs that are meant to be public."""

    outputs: tuple[str, ...] = Field(default=(), description="Names of outputs. `*` matches any text.")


@rule(
    "credentials-not-exported",
    title="Kubeconfigs and credentials are secret outputs",
    judges=Output,
    backends=EVERY_BACKEND,
    why="A plain output is readable in the stack's state, in the console, in the logs of every pipeline that prints "
    "it, and in every stack that refers to this one. A kubeconfig with a token or a key gives access to the cluster.",
    source="Pulumi, Secrets",
    remedy="Wrap the output in pulumi.Output.secret.",
    facts=("pulumi#secrets",),
    options=Meant,
)
def credentials_not_exported(output: Output, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if output.secret or output.value == "":
        return
    name, found = output.ref.name, credentials_in(output.value)
    if any(fnmatchcase(name, each) for each in Meant.of(rule.settings).outputs):
        return
    remedy = f'export it as a secret: pulumi.export("{name}", pulumi.Output.secret(...))'
    if not found and _is_kubeconfig(name, output.value):
        if isinstance(output.value, str | Mapping) and not _lets_in(output.value):
            got = "exports a kubeconfig in plain text; it has no credentials, but shows the address of the cluster"
            yield rule.advice.finding(output.place, got, remedy)
            return
        if output.value is not UNKNOWN:
            found = ("a kubeconfig",)
        else:
            yield rule.advice.finding(output.place, "exports a kubeconfig in plain text", remedy)
    elif not found and _TELLING.search(name) and isinstance(output.value, str) and not _POINTER.match(output.value):
        found = ("a credential (by its name)",)
    if found:
        yield rule.finding(output.place, f"exports {and_list(found)} in plain text", remedy)
    elif has_unknown(output.value):
        yield rule.unjudged(output.place, "its value (known only after `pulumi up`)")


def _is_kubeconfig(name: str, value: Any) -> bool:
    """Whether it is a kubeconfig, by its name or by its content."""
    if isinstance(value, Mapping):
        return "clusters" in value and "users" in value
    if isinstance(value, str) and (begin := _CLUSTERS.search(value)) and _USERS.search(value, begin.end()):
        return True
    return bool(_KUBECONFIG.search(name)) and (value is UNKNOWN or isinstance(value, str))


def _lets_in(kubeconfig: str | Mapping[str, Any]) -> bool:
    """Whether it contains a credential, or a part of it is not known."""
    if not isinstance(kubeconfig, str) and has_unknown(kubeconfig):
        return True
    text = kubeconfig if isinstance(kubeconfig, str) else json.dumps(kubeconfig)
    return bool(_LETS_IN.search(text)) or not _EXECUTES.search(text)


_Clear = LaunchTemplate | PodOwner | HeadNode | LoginPool | Queue


@rule(
    "credentials-not-in-the-clear",
    title="User data, script arguments and pod environments contain no keys or tokens",
    severity=Severity.CRITICAL,
    judges=LaunchTemplate | PodOwner | HeadNode | LoginPool | Queue,
    backends=EVERY_BACKEND,
    why="Every process on an instance can read its user data, everyone who may list pods can read their environment, "
    "and everyone who may log in can read a script's arguments. All of them are also in the state of the stack. Treat "
    "such a key as public.",
    source="EC2 user guide, Run commands when you launch an EC2 instance with user data input; Kubernetes, Secrets "
    "Good Practices",
    remedy="Give nodes and pods roles, and read tokens from Secrets Manager or a Kubernetes Secret.",
    facts=("kubernetes#secrets-good-practices",),
)
def credentials_not_in_the_clear(thing: _Clear, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for where, text in _texts_of_thing(thing):
        if text is UNKNOWN:
            yield rule.unjudged(thing.place, f"{where} (known only after `pulumi up`)")
        elif found := credentials_in(text):
            yield rule.finding(
                thing.place,
                at="post-install" if isinstance(thing, HeadNode | LoginPool | Queue) else "",
                got=f"{and_list(found)} {singular_or_plural(found, 'is', 'are')} in {where}, in plain text",
                remedy="revoke it, because others may have read it, and read the new one from Secrets Manager or a "
                "Kubernetes Secret; for AWS itself, use a role",
            )


def _texts_of_thing(thing: _Clear) -> Iterator[tuple[str, Any]]:
    """The places and their texts. User data with a cluster's address, known only after creation, is not judged."""
    if isinstance(thing, LaunchTemplate):
        if isinstance(thing.user_data, str):
            yield "the user data", _opened(thing.user_data)
    elif isinstance(thing, PodOwner):
        for template in thing.templates:
            if template.spec is UNKNOWN:
                yield template.path, UNKNOWN
                continue
            for kind in ("initContainers", "containers"):
                for container in mappings_at(template.spec, kind):
                    environment = {str(each.get("name")): each.get("value") for each in mappings_at(container, "env")}
                    where = f"container {container.get('name')} of {template.path}.{kind}"
                    yield where, [environment, container.get("command") or [], container.get("args") or []]
    elif thing.scripts is not UNKNOWN:
        for script in thing.scripts:
            # An argument that the template gets from elsewhere is not in its own text.
            yield f"the arguments of {script.at}", script.arguments if script.arguments is not UNKNOWN else ()


def _opened(user_data: str) -> str:
    """The decoded text; user data that is not base64 as it is."""
    try:
        return b64decode(user_data, validate=True).decode(errors="replace")
    except ValueError:
        return user_data
