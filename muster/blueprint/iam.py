"""Trust policies and permissions of roles, for every component that registers one. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from muster.hardware.zones import partition_of

_LONGEST_PREFIX = 38

SOURCE_ACCOUNT, SOURCE_ARN = "aws:SourceAccount", "aws:SourceArn"


SERVICES: Mapping[str, tuple[str, ...]] = {
    "eks.amazonaws.com": (SOURCE_ACCOUNT, SOURCE_ARN),
    "pods.eks.amazonaws.com": (SOURCE_ACCOUNT,),
    "ec2.amazonaws.com": (),
    "sagemaker.amazonaws.com": (),
    "hyperpod.sagemaker.amazonaws.com": (),
    "lambda.amazonaws.com": (),
}
"""Every service that a role of Muster trusts -> the condition keys of its roles, which protect them against the
confused deputy problem. A test holds the roles of all stacks to this table.

A condition on a key that the service does not send makes the role unusable. So a role has a condition only on keys
that, according to a source, the service sends: the sources are in `docs/explanation/security.md`.
"""


def trust(
    service: str,
    *actions: str,
    account: str = "",
    arn: str = "",
    conditions: Mapping[str, str] | None = None,
) -> str:
    """A role's trust policy for one AWS service, as JSON.

    Args:
        service: the service, from `SERVICES`.
        actions: what it may do with the role.
        account: the account of the stack, for a service that sends it.
        arn: the resource that the service acts for, for a service that sends it.
        conditions: other condition keys, and the value that each must equal.
    """
    given = {SOURCE_ACCOUNT: account, SOURCE_ARN: arn}
    keys = SERVICES[service]
    if any(not given[key] for key in keys):
        raise ValueError(f"the trust policy of {service} needs {' and '.join(keys)}")
    statement = _service_statement(service, *actions)
    equal = {**({SOURCE_ACCOUNT: account} if SOURCE_ACCOUNT in keys else {}), **(conditions or {})}
    like = {"ArnLike": {SOURCE_ARN: arn}} if SOURCE_ARN in keys else {}
    if equal or like:
        statement["Condition"] = {**({"StringEquals": equal} if equal else {}), **like}
    return policy(statement)


def allow(
    actions: Iterable[str], resources: Iterable[str], condition: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """A statement of a policy."""
    allowed = {"Effect": "Allow", "Action": sorted(actions), "Resource": list(dict.fromkeys(resources))}
    return {**allowed, "Condition": condition} if condition else allowed


def policy(*statements: Mapping[str, Any]) -> str:
    """A policy, as JSON."""
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def _service_statement(service: str, *actions: str) -> dict[str, Any]:
    return {"Effect": "Allow", "Principal": {"Service": service}, "Action": sorted(actions)}


def pod_trust(namespace: str, service_account: str, account: str) -> str:
    """A trust policy for the pods of one service account only, as JSON (EKS user guide, "pod-id-abac")."""
    conditions = {
        "aws:RequestTag/kubernetes-namespace": namespace,
        "aws:RequestTag/kubernetes-service-account": service_account,
    }
    return trust("pods.eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession", account=account, conditions=conditions)


def oidc_trust(provider: str, issuer: str, namespace: str, service_account: str, services: Sequence[str] = ()) -> str:
    """A trust policy for the pods of one service account only, by its tokens, as JSON (EKS user guide,
    "associate-service-account-role").

    Args:
        provider: the ARN of the IAM OIDC provider of the cluster.
        issuer: the issuer of the cluster's tokens, with https://.
        namespace: of the service account.
        service_account: its name.
        services: AWS services that also take the role.
    """
    host = issuer.removeprefix("https://")
    given = {f"{host}:aud": "sts.amazonaws.com", f"{host}:sub": f"system:serviceaccount:{namespace}:{service_account}"}
    by_token = {
        "Effect": "Allow",
        "Principal": {"Federated": provider},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": given},
    }
    by_service = [_service_statement(each, "sts:AssumeRole") for each in services]
    return policy(by_token, *by_service)


def cluster_arn(region: str, account: str, cluster: str) -> str:
    """The ARN of an EKS cluster that may not exist yet."""
    return f"arn:{partition_of(region)}:eks:{region}:{account}:cluster/{cluster}"


def account_of(arn: str) -> str:
    """The account that an ARN names."""
    return arn.split(":")[4]


def managed_policy(region: str, name: str) -> str:
    """The ARN of an AWS managed policy."""
    return f"arn:{partition_of(region)}:iam::aws:policy/{name}"


def role_name(arn: str) -> str:
    """The name of a role, without its path."""
    return arn.rpartition("/")[2]


def principal_name(arn: str) -> str:
    """The account and path of a principal, as a logical name: ``111122223333/role/teams/ml``."""
    return arn.split("::", 1)[1].replace(":", "/")


def is_profile(arn: str | None) -> bool:
    """Whether an ARN is that of an instance profile."""
    return arn is not None and ":instance-profile/" in arn


def attached(policies: Iterable[str]) -> dict[str, str]:
    """Managed policies on a role, each once, by what its logical name ends in: the name of AWS's policies; of others
    also the account.

    Args:
        policies: their ARNs.
    """
    named = ((arn, arn.partition(":policy/")[2]) for arn in policies)
    return {
        name if account_of(arn) == "aws" else f"{account_of(arn)}-{name.replace('/', '-')}": arn for arn, name in named
    }


def access_policy(region: str, name: str) -> str:
    """The ARN of an access policy of EKS, which AWS manages."""
    return f"arn:{partition_of(region)}:eks::aws:cluster-access-policy/{name}"


def name_prefix(cluster: str, name: str) -> str:
    """The prefix of a role's or an instance profile's name: the provider accepts at most 38 characters."""
    return f"{cluster}-{name}"[: _LONGEST_PREFIX - 1] + "-"


_PARALLELCLUSTER_POLICIES = ("AmazonSSMManagedInstanceCore", "AmazonEC2ContainerRegistryReadOnly")
"""AWS's managed policies: sessions, and images from ECR. The templates also allow nodes to read all of S3; here each
bucket is listed."""


def parallelcluster_policies(region: str, given: str | None, more: Iterable[str]) -> frozenset[str]:
    """The ARNs of the policies on the role of nodes; none on an existing role, with which ParallelCluster refuses them.

    Args:
        region: the Region.
        given: the ARN of the existing role or instance profile of the nodes.
        more: the ARNs of the description's own policies.
    """
    return (
        frozenset()
        if given
        else frozenset({*(managed_policy(region, name) for name in _PARALLELCLUSTER_POLICIES), *more})
    )


PCS_PATH = "/aws-pcs/"
"""The path of the role of nodes of PCS: without it, the role's name must start with AWSPCS (PCS API reference,
ComputeNodeGroup, iamInstanceProfileArn)."""
PCS_POLICIES = ("AmazonSSMManagedInstanceCore", "AmazonEC2ContainerRegistryPullOnly")
"""AWS's managed policies of nodes of PCS: sessions, and images from ECR."""
PCS_STATEMENT = policy({"Effect": "Allow", "Action": ["pcs:RegisterComputeNodeGroupInstance"], "Resource": "*"})
"""The permission with which nodes of PCS register (PCS user guide, "Create an instance profile")."""
