"""Writes `muster/sources/terraform/types.json`: the types of Terraform that Muster reads, with their properties.

    python -m tools.terraform_types          # writes the table
    python -m tools.terraform_types --check  # fails if the table is not what the SDKs give

pulumi-aws is generated from Terraform's AWS provider, and awscc and aws-native are both generated from CloudFormation's
schemas. Their names differ in spelling and in plurals, and a block that Terraform allows once is a list of one item
there and an object here. The SDKs' argument classes have these names and forms, so the table is made from them.

Each property is ``{Terraform's name: [Pulumi's name, form, properties of the block]}``. A form is ``value``, ``list``,
``map`` or ``one`` (an object, which Terraform writes as a list of one); with ``!`` behind it, the provider computes a
value if none is set.
"""

import json
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from pulumi._types import input_type_py_to_pulumi_names

from muster.sources.terraform.types import NAMES

TABLE = Path(__file__).parent.parent / "muster" / "sources" / "terraform" / "types.json"

_SINGULAR = {
    "aws_autoscaling_group": {"tags": "tag", "vpc_zone_identifiers": "vpc_zone_identifier"},
    "aws_eks_node_group": {"taints": "taint"},
}
"""Names that Terraform has in the singular, as texts of findings use them. The reader finds other plurals itself."""


def table() -> dict[str, Any]:
    """The table, as it is written."""
    return {name: [token, _properties(name, token)] for name, token in sorted(NAMES.items())}


def _properties(name: str, token: str) -> dict[str, Any]:
    package, module, kind = token.split(":")
    folder = f"{package.replace('-', '_')}.{module.partition('/')[0]}"
    sdk = import_module(f"pulumi_{folder}")
    inputs = import_module(f"pulumi_{folder}._inputs")
    singular = _SINGULAR.get(name, {})
    made = _of_class(_arguments(sdk, kind), inputs, getattr(sdk, kind), ())
    return {singular.get(each, each): about for each, about in made.items()}


def _arguments(sdk: Any, kind: str) -> type[Any]:
    """The class of a resource's arguments, from its own module: a block of another resource may have the same name,
    and then the resource's is called `InitArgs`."""
    own = vars(sys.modules[getattr(sdk, kind).__module__])
    found: type[Any] = own.get(f"{kind}InitArgs") or own[f"{kind}Args"]
    return found


def _of_class(
    kind: type[Any], inputs: Any, resource: type[Any] | None, around: tuple[type[Any], ...]
) -> dict[str, Any]:
    names: Mapping[str, str] = input_type_py_to_pulumi_names(kind)
    made: dict[str, Any] = {}
    for name, hint in kind.__init__.__annotations__.items():
        if name == "return" or name not in names:
            continue
        text = repr(hint)
        nested = re.search(r"ForwardRef\('(\w+Args)'\)", text)
        # A policy is a text; Pulumi also takes an object.
        is_text = "PolicyDocument" in text
        block = getattr(inputs, nested[1], None) if nested and not is_text else None
        form = "list" if "Sequence[" in text else "map" if "Mapping[" in text else "one" if block else "value"
        optional = signature(kind.__init__).parameters[name].default is None
        if resource is not None and optional and _is_computed(resource, name):
            form += "!"
        below = _of_class(block, inputs, None, (*around, kind)) if block and block not in around else {}
        made[name] = [names[name], form, below] if below else [names[name], form]
    return dict(sorted(made.items()))


def _is_computed(resource: type[Any], name: str) -> bool:
    """Whether an output always has a value: the provider computes it where none is set."""
    got = getattr(resource, name, None)
    hints = getattr(getattr(got, "fget", None), "__annotations__", {})
    return "Optional" not in repr(hints.get("return", "Optional"))


def text() -> str:
    """The file's text: one line for each type."""
    lines = (f"{json.dumps(name)}: {json.dumps(about, separators=(',', ':'))}" for name, about in table().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Writes the table, or compares it."""
    made = text()
    if "--check" in sys.argv[1:]:
        return 0 if TABLE.read_text(encoding="utf-8") == made else 1
    TABLE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
