"""CloudFormation's names of properties."""

from muster.edits import Terms

_OTHER = {
    "vpcConfig": "ResourcesVpcConfig",
    "vpcSecurityGroupIds": "SecurityGroupIds",
    "nodeRoleArn": "NodeRole",
    "volumeSizeInGb": "VolumeSizeInGB",
    "vpcZoneIdentifiers": "VPCZoneIdentifier",
    "cidrBlocks": "CidrIp",
}
"""Pulumi's name of a property -> CloudFormation's, where they are not the same but for the case."""


def pascal(name: str) -> str:
    """``vpcConfig.subnetIds`` -> ``ResourcesVpcConfig.SubnetIds``. Words are no property: ``the values of``."""
    if " " in name or "/" in name:
        return name
    return ".".join(_OTHER.get(each, f"{each[:1].upper()}{each[1:]}") for each in name.split("."))


TERMS = Terms(key=pascal, document="template", deploy="the deployment", later="not in the file")
