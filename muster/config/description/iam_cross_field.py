"""Checks of roles that read several keys: which existing role stands for what, and what cannot go with it."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.iam import VPC_CNI, WITH_A_ROLE
from muster.config.description.written_blocks import Fault, block, blocks
from muster.finding import KeyPath
from muster.message_text import did_you_mean

_GIVEN = "Muster attaches nothing to an existing role"


def addon_role_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Roles of add-ons that have none, or that this stack does not install."""
    installed = {*block(raw, "addons"), *(() if _joins(raw) else (VPC_CNI,))}
    for name in block(raw, "iam", "roles", "addons"):
        at: KeyPath = ("iam", "roles", "addons", name)
        if name not in WITH_A_ROLE:
            got = f"there is no add-on '{name}' with a role in AWS{did_you_mean(str(name), WITH_A_ROLE)}"
            yield at, got, f"valid values: {', '.join(WITH_A_ROLE)}"
        elif name not in installed:
            yield at, f"this stack does not install {name}", f"add {name} under addons, or remove its role"


def _joins(raw: Mapping[Any, Any]) -> bool:
    """Whether the control plane is that of another stack, or exists already."""
    source = raw.get("control-plane")
    return "addons-of" in raw or (isinstance(source, Mapping) and "existing" in source)


def kubernetes_role_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Existing roles of a cluster with Kubernetes."""
    yield from addon_role_faults(raw)
    roles, at = block(raw, "iam", "roles"), ("iam", "roles", "control-plane")
    if "control-plane" in roles and _joins(raw):
        yield at, "an existing control plane already has its role", "remove it here"
    yield from shared_role_faults(raw)
    used: dict[str, str] = {}
    for name, group in blocks(raw, "groups").items():
        role, of_group = group.get("role", roles.get("nodes")), ("groups", name, "role")
        if not isinstance(role, str):
            continue
        if group.get("policies"):
            which = f"groups.{name}.role" if "role" in group else "iam.roles.nodes"
            yield ("groups", name, "policies"), f"{_GIVEN}, and {which} is one", "attach them to the role yourself"
        here = of_group if "role" in group else ("iam", "roles", "nodes")
        if role == roles.get("control-plane"):
            yield here, "EKS does not allow the role of a cluster on nodes", "write another role"
        kind = "EKS Auto Mode" if group.get("provisioned-by") == "auto-mode" else "EC2"
        if used.setdefault(role, kind) != kind:
            got = f"group '{name}' and one of another kind have one role, which can have only one access entry"
            yield here, got, "write another role for one of them"
    for index, each in enumerate(raw["access"] if isinstance(raw.get("access"), list) else ()):
        if isinstance(each, Mapping) and str(each.get("principal")) in used:
            got = "it is the role of nodes, and a principal can have only one access entry"
            yield ("access", index, "principal"), got, "write the role of people here"


def parallelcluster_role_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Existing roles of ParallelCluster, which adds neither policies nor S3 permissions to them (`IamSchema` of
    3.16.1); and paths below which its provider creates no roles (its template's policies)."""
    roles, path = block(raw, "iam", "roles"), block(raw, "iam").get("path")
    refuses = "ParallelCluster adds nothing to an existing role"
    places: dict[str, list[KeyPath]] = {
        "head": [("head",)],
        "nodes": [("queues", name) for name in blocks(raw, "queues")],
        "login": [("login-nodes", name) for name in blocks(raw, "login-nodes")],
    }
    for key, paths in places.items():
        for at in paths if key in roles else ():
            if block(raw, *at).get("policies"):
                yield (*at, "policies"), f"{refuses}, and iam.roles.{key} is one", "attach them to the role yourself"
    if block(raw, "s3") and (given := [key for key in ("head", "nodes") if key in roles]):
        got = f"{refuses}, and iam.roles.{given[0]} is one"
        yield ("s3",), got, "let the role allow the buckets, and remove s3"
    if isinstance(path, str) and not path.startswith("/parallelcluster/") and "provider" not in roles:
        got = f"the provider of ParallelCluster creates roles only below /parallelcluster/, and not below {path}"
        yield ("iam", "path"), got, f"write /parallelcluster{path}, or write a role that may in iam.roles.provider"


def shared_role_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Policies for the role of all nodes, on HyperPod and PCS, if it exists already."""
    places = {"iam.roles.nodes": block(raw, "iam", "roles"), "hyperpod.execution-role": block(raw, "hyperpod")}
    for given, around in places.items():
        if given.rpartition(".")[2] in around and block(raw, "iam").get("node-policies"):
            yield ("iam", "node-policies"), f"{_GIVEN}, and {given} is one", "attach them to the role yourself"
