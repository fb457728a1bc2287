"""Reference stacks with every id filled in, as somebody who deploys one has it."""

import hashlib
import re

from muster.config.placeholders import PLACEHOLDER
from tests.stack_files import ROOT

_ID = re.compile(rf"\b(vpc|subnet|sg|cr|ami|fs)-{PLACEHOLDER}[a-z0-9-]*")

_PLAN = re.compile(rf"training-plan/{PLACEHOLDER}[a-z0-9-]*")


def id_for(placeholder: str) -> str:
    """A real-looking id for one to be filled in, always the same: ``subnet-fill-me-in-private-a`` -> subnet-0..."""
    prefix, _, rest = placeholder.partition("-")
    return f"{prefix}-0{hashlib.sha256(rest.encode()).hexdigest()[:16]}"


def filled_text(text: str) -> str:
    """A text with its ids filled in: a stack's file, or its facts."""
    named = _PLAN.sub("training-plan/spring", text).replace(f"key-{PLACEHOLDER}", "ml-admins")
    return _ID.sub(lambda found: id_for(found.group()), named)


def filled(stack: str) -> str:
    """A reference stack's file with its ids filled in. Accounts of ARNs stay the documentation's."""
    return filled_text((ROOT / "stacks" / f"Pulumi.{stack}.yaml").read_text())


def filled_facts(stack: str) -> str:
    """The facts beside it, with the same ids."""
    return filled_text((ROOT / "stacks" / "facts" / f"{stack}.json").read_text())
