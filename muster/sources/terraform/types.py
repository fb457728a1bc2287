"""The resource types of Terraform's providers that Muster reads, with Pulumi's type tokens and property names."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from muster.edits import Terms
from muster.fleet.resources import ref

NAMES: Mapping[str, str] = {
    "aws_autoscaling_group": ref.AUTO_SCALING_GROUP,
    "aws_autoscaling_schedule": "aws:autoscaling/schedule:Schedule",
    "aws_cloudformation_stack": ref.CLOUDFORMATION_STACK,
    "aws_default_security_group": ref.DEFAULT_GROUP,
    "aws_ec2_capacity_block_reservation": ref.CAPACITY_BLOCK,
    "aws_ec2_capacity_reservation": ref.CAPACITY_RESERVATION,
    "aws_efs_file_system": ref.EFS,
    "aws_efs_mount_target": ref.MOUNT_TARGET,
    "aws_eip": ref.ADDRESS,
    "aws_eks_access_entry": ref.ACCESS_ENTRY,
    "aws_eks_access_policy_association": ref.ACCESS_POLICY,
    "aws_eks_addon": ref.ADDON,
    "aws_eks_cluster": ref.CLUSTER,
    "aws_eks_node_group": ref.NODE_GROUP,
    "aws_fsx_data_repository_association": ref.DATA_ASSOCIATION,
    "aws_fsx_lustre_file_system": ref.LUSTRE,
    "aws_fsx_openzfs_file_system": ref.OPENZFS,
    "aws_iam_instance_profile": "aws:iam/instanceProfile:InstanceProfile",
    "aws_iam_policy": "aws:iam/policy:Policy",
    "aws_iam_policy_attachment": "aws:iam/policyAttachment:PolicyAttachment",
    "aws_iam_role": "aws:iam/role:Role",
    "aws_iam_role_policy": "aws:iam/rolePolicy:RolePolicy",
    "aws_iam_role_policy_attachment": "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
    "aws_internet_gateway": ref.INTERNET_GATEWAY,
    "aws_key_pair": ref.KEY_PAIR,
    "aws_kms_key": ref.KEY,
    "aws_launch_template": ref.LAUNCH_TEMPLATE,
    "aws_nat_gateway": ref.NAT_GATEWAY,
    "aws_placement_group": ref.PLACEMENT_GROUP,
    "aws_resourcegroups_group": ref.RESOURCE_GROUP,
    "aws_resourcegroups_resource": "aws:resourcegroups/resource:Resource",
    "aws_s3_bucket": ref.BUCKET,
    "aws_s3_bucket_object": "aws:s3/bucketObject:BucketObject",
    "aws_s3_directory_bucket": ref.DIRECTORY_BUCKET,
    "aws_s3_object": "aws:s3/bucketObjectv2:BucketObjectv2",
    "aws_sagemaker_mlflow_app": ref.MLFLOW_APP,
    "aws_sagemaker_mlflow_tracking_server": ref.TRACKING_SERVER,
    "aws_security_group": ref.SECURITY_GROUP,
    "aws_security_group_rule": "aws:ec2/securityGroupRule:SecurityGroupRule",
    "aws_subnet": ref.SUBNET,
    "aws_vpc": ref.VPC,
    "aws_vpc_security_group_egress_rule": "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
    "aws_vpc_security_group_ingress_rule": "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    "awscc_cloudformation_stack": "aws-native:cloudformation:Stack",
    "awscc_pcs_cluster": ref.PCS_CLUSTER,
    "awscc_pcs_compute_node_group": ref.PCS_NODE_GROUP,
    "awscc_pcs_queue": ref.PCS_QUEUE,
    "awscc_sagemaker_cluster": ref.HYPERPOD,
}
"""Terraform's type -> Pulumi's. The names of pulumi-aws follow its list of Terraform's resources."""


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a resource or of a block."""

    name: str
    """Pulumi's name."""
    form: str
    """``value``, ``list``, ``map``, or ``one`` for a block that Terraform writes as a list of one item."""
    computed: bool
    """Whether the provider computes a value if none is set."""
    below: "Properties"
    """The properties of the block; empty for other values."""


Properties = Mapping[str, Property]
"""By Terraform's name."""


@dataclass(frozen=True, slots=True)
class ResourceType:
    """A type of resources."""

    token: str
    """Pulumi's type token."""
    properties: Properties


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads((Path(__file__).parent / "types.json").read_text(encoding="utf-8"))
    return table


@cache
def resource_type(name: str) -> ResourceType | None:
    """A type by Terraform's name; None for one that no rule reads."""
    if name not in NAMES:
        return None
    token, properties = _table()[name]
    return ResourceType(token, _properties(properties))


def _properties(table: Mapping[str, Any]) -> Properties:
    return {
        name: Property(pulumi, form.rstrip("!"), form.endswith("!"), _properties(below[0] if below else {}))
        for name, (pulumi, form, *below) in table.items()
    }


def property_of(properties: Properties, name: str) -> Property | None:
    """A property by Terraform's name. Pulumi has a plural for a block that Terraform names in the singular:
    ``override`` -> ``overrides``."""
    plurals = (f"{name}s", f"{name[:-1]}ies" if name.endswith("y") else f"{name}es")
    return next((properties[each] for each in (name, *plurals) if each in properties), None)


@cache
def terraform_names() -> Mapping[str, str]:
    """Pulumi's property name -> Terraform's, for names that are spelled differently."""
    found: dict[str, str] = {}
    waiting = [properties for _, properties in _table().values()]
    while waiting:
        for name, about in waiting.pop().items():
            if about[0] != name:
                found[about[0]] = name
            waiting += about[2:]
    return found


@cache
def _types() -> dict[str, str]:
    """``aws.autoscaling.Schedule`` -> ``aws_autoscaling_schedule``."""
    parts = ((name, *re.split("[:/]", token)) for name, token in NAMES.items())
    return {f"{package}.{module}.{rest[-1]}": name for name, package, module, *rest in parts}


TERMS = Terms(
    key=lambda name: ".".join(terraform_names().get(each, each) for each in name.split(".")),
    type=lambda name: _types().get(name, name),
    document="configuration",
    deploy="`terraform apply`",
    later="not in the file",
)
