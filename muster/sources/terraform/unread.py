"""Types of Terraform that no rule reads, but that can run training jobs, or have their networks and file systems."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from muster.sources.source import Gap
from muster.sources.terraform.kubernetes import is_kubernetes
from muster.sources.terraform.types import NAMES

_SERVICES = re.compile(
    r"""
    kubernetes_(?:cron_job|daemon_?set|deployment|job|pod|replication_controller|stateful_set)(?:_v\d+)?$
    | (?:aws|awscc)_(?:
        alb | ami(?:_|$) | autoscaling_ | batch_ | default_network_acl | default_subnet | default_vpc
        | ebs_ | ec2_ | ecs_ | efs_ | eks_ | elb | emr | fsx_ | instance$ | launch_configuration
        | lb(?:_|$) | lightsail_ | network_acl | pcs_ | sagemaker_ | spot_ | volume_attachment | vpc_peering
    )
    """,
    re.VERBOSE,
)
"""The services of `muster.policies.views.unread`, by Terraform's names, and objects with pods."""
_NOTHING_TO_ASK = frozenset(
    {
        "aws_ec2_tag",
        "aws_eks_access_entry",
        "aws_eks_access_policy_association",
        "awscc_ec2_vpc",
        "awscc_eks_access_entry",
    }
)
"""Types that no rule needs to judge."""


def unread(types: Iterable[str]) -> Iterator[Gap]:
    """One gap for each type of these services that no rule reads."""
    counted = Counter(each for each in types if _is_unread(each))
    for type_, number in sorted(counted.items()):
        resources = "resource is" if number == 1 else "resources are"
        yield Gap(type_, f"no rule reads this type: {number} {resources} not judged")


def _is_unread(type_: str) -> bool:
    if type_ in NAMES or type_ in _NOTHING_TO_ASK or is_kubernetes(type_):
        return False
    return _SERVICES.match(type_) is not None
