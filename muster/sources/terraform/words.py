"""Texts of findings in Terraform's words."""

import re

from muster.sources.terraform.types import terraform_names

_PROPERTY = re.compile(r"(?<![\w./-])[a-z]+\d?(?:[A-Z][A-Za-z0-9]*)+(?![\w-])")
_NESTED = re.compile(r"(?<=[a-z0-9_]\.)[a-z]+(?:[A-Z][a-z0-9]*)+(?![\w-])")
_WITH_TYPE = re.compile(r"(?<=[\w\]]) \(aws(?:-native)?:\w+\)")
"""A resource's type behind its name: an address has the type."""
_COMMANDS = (("`pulumi up`", "`terraform apply`"), ("dependsOn option", "depends_on argument"))


def in_terraform(text: str) -> str:
    """A text with Terraform's argument names: ``vpcConfig.subnetIds`` -> ``vpc_config.subnet_ids``."""
    names = terraform_names()
    text = _PROPERTY.sub(lambda found: names.get(found[0], found[0]), text)
    text = _NESTED.sub(lambda found: names.get(found[0], found[0]), text)
    for theirs, ours in _COMMANDS:
        text = text.replace(theirs, ours)
    return _WITH_TYPE.sub("", text)
