"""The IAM actions that a deployment needs, and whether the caller has them, from IAM's simulation.

`deployment_actions.csv` lists the actions by what a stack has, each with the resource that it is simulated on: the
names that the deployment will use, because policies allow actions by the beginnings of names. Cloud Control and PCS act
with the deployer's permissions (PCS user guide, "Minimum permissions for AWS PCS"), and so does SageMaker where it
creates the nodes' access entry. ParallelCluster's provider creates the cluster with its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster import backends
from muster.account.caller_identity import GET_CALLER_IDENTITY, Identity, identity_of
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic
from muster.blueprint.cluster import (
    Blueprint,
    ClusterBlueprint,
    HyperPodSlurmBlueprint,
    ParallelClusterBlueprint,
    PcsBlueprint,
)
from muster.blueprint.group import EksGroup, PcsGroup
from muster.blueprint.iam import is_profile, role_name
from muster.config.description.iam import VPC_CNI
from muster.config.description.storage import Lustre
from muster.fleet.facts import Facts
from muster.fleet.resources import Ref
from muster.hardware.tables import read_table


def deployment_actions(blueprint: ClusterBlueprint) -> set[tuple[str, str]]:
    """Each action with a resource that it is simulated on, with the names of the deployment to fill in."""
    needed = {*_needed(blueprint)}
    rows = read_table("deployment_actions.csv", __package__)
    return {(row["action"], row["on"]) for row in rows if row["for"] in needed}


def _needed(blueprint: ClusterBlueprint) -> Iterator[str]:
    """What the stack has, by the names of the table."""
    made = [each for each in blueprint.storage if each.security_group]
    lustre = [each.described for each in made if isinstance(each.described, Lustre)]
    yield from _chosen(
        {
            "network": blueprint.network.created,
            "secondary network": blueprint.network.pod_cidr,
            "fsx": any(each.kind.service == "fsx" for each in made),
            "efs": any(each.kind.service == "efs" for each in made),
            "security group": made,
            "lustre data": any(each.data for each in lustre),
            "registry": blueprint.described.registry,
            "purchase": blueprint.purchases,
        }
    )
    yield from backends.of(blueprint.described).deployed_parts.load()(blueprint)


def of_parallelcluster(blueprint: ParallelClusterBlueprint) -> Iterator[str]:
    """What a cluster on ParallelCluster has."""
    yield from ("parallelcluster", "security group")
    key, provider = blueprint.described.head.login.public_key is not None, blueprint.described.iam.roles.provider
    grouped = any(each.reservation_group for each in blueprint.groups)
    yield from _chosen({"public key": key, "reservation group": grouped, "provider role": not provider})


def of_pcs(blueprint: PcsBlueprint) -> Iterator[str]:
    """What a cluster on PCS has."""
    yield from ("pcs", "launch template", "security group")
    given = blueprint.described.iam.roles.nodes
    yield from _chosen({"pcs role": given is None, "instance profile": not is_profile(given)})
    yield from _chosen({"pcs block": any(each.described.capacity.capacity_block for each in blueprint.groups)})
    yield from _of_capacity(blueprint.groups)


def of_hyperpod_slurm(blueprint: HyperPodSlurmBlueprint) -> Iterator[str]:
    """What a HyperPod cluster with Slurm has."""
    yield from ("hyperpod", "security group")
    yield from _chosen({"role": blueprint.described.hyperpod.execution_role is None})


def _chosen(conditions: Mapping[str, Any]) -> Iterator[str]:
    return (name for name, there in conditions.items() if there)


def of_kubernetes(blueprint: Blueprint) -> Iterator[str]:
    """What a cluster on EKS has, and a HyperPod cluster with EKS."""
    own, hyperpod, groups = not blueprint.cluster.existing, blueprint.hyperpod, blueprint.eks_groups
    tracking = hyperpod.tracking_server if hyperpod else None
    karpenter = "karpenter" in blueprint.described.addons.chosen
    charts = blueprint.described.addons.charts.values()
    self_managed = [each for each in groups if not each.resource.managed]
    by_ec2 = [each for each in self_managed if not each.described.by_auto_mode]
    roles, described = blueprint.described.iam.roles, blueprint.described
    makes_role = [
        own and not (roles.control_plane and VPC_CNI in roles.addons),
        any(described.role_of(each.described) is None for each in groups),
        karpenter and "karpenter" not in roles.addons,
        hyperpod and (described.hyperpod.execution_role is None or tracking),
    ]
    yield from _chosen(
        {
            "control plane": own,
            "key": own and not blueprint.described.secrets_key,
            "role": any(makes_role),
            "add-on": blueprint.eks_addons,
            "access entry": blueprint.described.access or self_managed or hyperpod,
            "access policy": len(by_ec2) < len(self_managed),
            "security group": blueprint.security_group,
            "karpenter": karpenter,
            "pod identity": karpenter or tracking or any(each.roles for each in charts),
            "launch template": any(not each.described.by_karpenter for each in groups),
            "managed group": len(self_managed) < len(groups),
            "auto scaling group": any(not each.described.by_karpenter for each in by_ec2),
            "instance profile": by_ec2,
            "hyperpod": hyperpod,
            "lifecycle scripts": hyperpod and hyperpod.bundle,
            "compute quota": hyperpod and hyperpod.quotas,
            "mlflow app": tracking and tracking.serverless,
            "mlflow server": tracking and not tracking.serverless,
        }
    )
    yield from _of_capacity(groups)


def _of_capacity(groups: Sequence[EksGroup | PcsGroup]) -> Iterator[str]:
    for group in groups:
        placed = group.placement_group and group.placement_group.create
        grouped = isinstance(group.reservation_group and group.reservation_group.ref, Ref)
        yield from _chosen({"placement group": placed, "reservation group": grouped})


def _inquire(wanted: PreflightRequest) -> Inquiry[Facts]:
    (caller,) = yield [GET_CALLER_IDENTITY]
    identity = identity_of(caller)
    # IAM can simulate only users and roles.
    if identity is None or not (identity.role or identity.user):
        return Facts()
    source: str = identity.arn
    if identity.role:
        # The ARN of a session lacks the role's path (IAM Identity Center's roles have one).
        (role,) = yield [_role(identity.role)]
        if role.result is None:
            return Facts()
        source = role.result["Role"]["Arn"]
    questions = _questions(source, identity, wanted)
    answers = yield questions
    decided: dict[str, list[bool | None]] = {}
    for question, answer in zip(questions, answers, strict=True):
        of = simulated(answer)
        for action in question.parameters["ActionNames"]:
            decided.setdefault(action, []).append(of.get(action))
    return Facts(permissions={action: _on_all(decided[action]) for action in sorted(decided)})


def _on_all(allowed: Sequence[bool | None]) -> bool | None:
    """Whether an action is allowed on each of its resources."""
    return False if False in allowed else None if None in allowed else True


def _role(name: str) -> Query:
    absent = frozenset({"NoSuchEntity"})
    return Query("iam", "GetRole", f"role {name}", {"RoleName": name}, absent, needs=("Role.Arn",))


def _questions(source: str, identity: Identity, wanted: PreflightRequest) -> list[Query]:
    """One query for each resource of actions: if a policy allows an action only on some resources, IAM denies it on
    all."""
    blueprint = wanted.blueprint
    names = {"region": blueprint.region, "cluster": blueprint.cluster_name, "name": blueprint.name_stem}
    path = blueprint.described.iam.path
    by_thing: dict[str, list[str]] = {}
    for action, on in sorted(deployment_actions(blueprint)):
        thing = on.format(partition=identity.partition, account=identity.account, **names)
        if path and ":role/" in thing:
            thing = f"{thing.partition(':role/')[0]}:role{path}{role_name(thing)}"
        by_thing.setdefault(thing, []).append(action)
    return [_question(source, names, thing, wanted) for thing, names in by_thing.items()]


def _question(source: str, names: Sequence[str], thing: str, wanted: PreflightRequest) -> Query:
    known = {"aws:RequestedRegion": wanted.region}
    if boundary := wanted.blueprint.described.iam.permissions_boundary:
        known["iam:PermissionsBoundary"] = boundary
    context = [
        {"ContextKeyName": key, "ContextKeyValues": [value], "ContextKeyType": "string"} for key, value in known.items()
    ]
    return Query(
        "iam",
        "SimulatePrincipalPolicy",
        "permissions of the caller" if thing == "*" else f"permissions of the caller on {thing}",
        {"PolicySourceArn": source, "ActionNames": names, "ResourceArns": [thing], "ContextEntries": context},
        needs=SIMULATION_NEEDS,
    )


SIMULATION_NEEDS = ("EvaluationResults[].EvalActionName", "EvaluationResults[].EvalDecision")


def simulated(answer: Answer) -> dict[str, bool | None]:
    """Action -> whether it is allowed, from one simulation; empty without an answer."""
    results = (answer.result or {}).get("EvaluationResults", ())
    return {each["EvalActionName"]: _allowed(each) for each in results}


def _allowed(result: Mapping[str, Any]) -> bool | None:
    """Whether an action is allowed. None if a policy allows it only under a condition that the simulation cannot
    evaluate (a tag, an address), or if neither the result nor those of its resources list the missing context
    values."""
    if result["EvalDecision"] == "implicitDeny":
        parts = [result, *result.get("ResourceSpecificResults", ())]
        lacking = [each["MissingContextValues"] for each in parts if "MissingContextValues" in each]
        if not lacking or any(lacking):
            return None
    return bool(result["EvalDecision"] == "allowed")


PERMISSIONS = Topic(
    "permissions",
    "Whether the caller has the permissions that the deployment needs, as far as IAM's simulation can tell.",
    _inquire,
    frozenset({"permissions"}),
)
