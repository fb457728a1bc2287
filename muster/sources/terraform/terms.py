"""Texts of findings in Terraform's words."""

import re
from functools import cache

from muster.edits import Terms
from muster.sources.terraform.types import NAMES, terraform_names

_PROPERTY = re.compile(r"(?<![\w./-])[a-z]+\d?[A-Z][A-Za-z0-9]*(?![\w-])")
_NESTED = re.compile(r"(?<=[a-z0-9_]\.)[a-z]+(?:[A-Z][a-z0-9]*)+(?![\w-])")
_TYPE = re.compile(r"\baws\.[a-z0-9]+\.[A-Z]\w+")


def in_terraform(text: str) -> str:
    """A text with Terraform's argument names: ``vpcConfig.subnetIds`` -> ``vpc_config.subnet_ids``."""
    names = terraform_names()
    text = _PROPERTY.sub(lambda found: names.get(found[0], found[0]), text)
    text = _NESTED.sub(lambda found: names.get(found[0], found[0]), text)
    return _TYPE.sub(lambda found: _types().get(found[0], found[0]), text)


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
