"""Checks of roles that read several keys: which existing role stands for what, and what cannot go with it."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.iam import VPC_CNI, WITH_A_ROLE
from muster.config.description.written_blocks import Fault, block, blocks
from muster.finding import KeyPath, dotted_path
from muster.message_text import did_you_mean

_NODES = ("iam", "roles", "nodes")


def existing_role_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Policies for an existing role, to which Muster and ParallelCluster attach nothing."""
    for role, policies in _roles_and_policies(raw):
        if role[-1] in block(raw, *role[:-1]) and block(raw, *policies[:-1]).get(policies[-1]):
            got = f"nothing is attached to the existing role in {dotted_path(role)}"
            yield policies, got, "attach them to the role yourself"


def _roles_and_policies(raw: Mapping[Any, Any]) -> Iterator[tuple[KeyPath, KeyPath]]:
    """Where a role may be given, and where its policies."""
    yield _NODES, ("iam", "node-policies")
    yield ("hyperpod", "execution-role"), ("iam", "node-policies")
    yield ("iam", "roles", "head"), ("head", "policies")
    for name, group in blocks(raw, "groups").items():
        yield ("groups", name, "role") if "role" in group else _NODES, ("groups", name, "policies")
    yield from ((_NODES, ("queues", name, "policies")) for name in blocks(raw, "queues"))
    yield from ((("iam", "roles", "login"), ("login-nodes", name, "policies")) for name in blocks(raw, "login-nodes"))


def addon_role_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Roles of add-ons that have none, or that this stack does not install."""
    joins = "addons-of" in raw or "existing" in block(raw, "control-plane")
    installed = {*block(raw, "addons"), *(() if joins else (VPC_CNI,))}
    for name in block(raw, "iam", "roles", "addons"):
        at: KeyPath = ("iam", "roles", "addons", name)
        if name not in WITH_A_ROLE:
            got = f"there is no add-on '{name}' with a role in AWS{did_you_mean(str(name), WITH_A_ROLE)}"
            yield at, got, f"valid values: {', '.join(WITH_A_ROLE)}"
        elif name not in installed:
            yield at, f"this stack does not install {name}", f"add {name} under addons, or remove its role"


def kubernetes_role_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Existing roles of a cluster with Kubernetes."""
    yield from addon_role_faults(raw)
    roles, at = block(raw, "iam", "roles"), ("iam", "roles", "control-plane")
    if "control-plane" in roles and "existing" in block(raw, "control-plane"):
        yield at, "an existing control plane already has its role", "remove it here"
    yield from existing_role_faults(raw)
    used: dict[str, str] = {}
    for name, group in blocks(raw, "groups").items():
        role, of_group = group.get("role", roles.get("nodes")), ("groups", name, "role")
        if not isinstance(role, str):
            continue
        here = of_group if "role" in group else _NODES
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
    yield from existing_role_faults(raw)
    if block(raw, "s3") and (given := [key for key in ("head", "nodes") if key in roles]):
        got = f"ParallelCluster adds nothing to an existing role, and iam.roles.{given[0]} is one"
        yield ("s3",), got, "let the role allow the buckets, and remove s3"
    if isinstance(path, str) and not path.startswith("/parallelcluster/") and "provider" not in roles:
        got = f"the provider of ParallelCluster creates roles only below /parallelcluster/, and not below {path}"
        yield ("iam", "path"), got, f"write /parallelcluster{path}, or write a role that may in iam.roles.provider"
