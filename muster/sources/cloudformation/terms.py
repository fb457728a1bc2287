"""Texts of findings with CloudFormation's names of properties, and the place of the property that a text names."""

import re

from muster.edits import Terms

_PROPERTY = re.compile(r"(?<![\w./-])[a-z]+(?:[A-Z][a-z0-9]*)+(?:\.[a-z]\w*)*(?![\w/-])")
"""A property with Pulumi's name: ``vpcConfig.subnetIds``."""

_OTHER = {
    "vpcConfig": "ResourcesVpcConfig",
    "vpcSecurityGroupIds": "SecurityGroupIds",
    "nodeRoleArn": "NodeRole",
    "volumeSizeInGb": "VolumeSizeInGB",
    "vpcZoneIdentifiers": "VPCZoneIdentifier",
    "cidrBlocks": "CidrIp",
}
"""Pulumi's name of a property -> CloudFormation's, where they are not the same but for the case."""

_NOT_OURS = frozenset({"eksctl", "nodeSelector", "hostNetwork", "hugePages", "nodeAffinity", "podAffinity", "emptyDir"})
"""Names of Kubernetes, which CloudFormation does not have."""


def in_words_of_cloudformation(text: str) -> str:
    """A text with CloudFormation's names: ``ResourcesVpcConfig.SubnetIds`` for ``vpcConfig.subnetIds``."""
    return _PROPERTY.sub(lambda found: pascal(found[0]), text)


def pascal(name: str) -> str:
    """``vpcConfig.subnetIds`` -> ``ResourcesVpcConfig.SubnetIds``."""
    if name.partition(".")[0] in _NOT_OURS:
        return name
    return ".".join(_OTHER.get(each, f"{each[:1].upper()}{each[1:]}") for each in name.split("."))


_NAMED = re.compile(r"(?<![\w.])[A-Z][A-Za-z0-9]+(?:\.[A-Z][A-Za-z0-9]+)*")


def properties_named(text: str) -> list[list[str]]:
    """The properties that a text in CloudFormation's words names, each as the keys on the way to it."""
    return [found.split(".") for found in _NAMED.findall(text)]


TERMS = Terms(key=pascal, document="template", deploy="the deployment", later="not in the file")
