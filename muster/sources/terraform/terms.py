"""How findings name what a Terraform configuration has."""

import re
from functools import cache

from muster.edits import Terms
from muster.sources.terraform.types import NAMES, terraform_names


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
