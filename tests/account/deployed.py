"""Reference stacks as somebody who deploys them has them: what they want of an account."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from muster.account.topic import Wanted
from muster.fleet.stack_file import StackFile, load
from tests.account.filled import filled, filled_facts
from tests.factories import AS_OF


@cache
def opened(stack: str) -> StackFile:
    """The stack with its ids filled in, its key pair too, and the facts beside it."""
    with TemporaryDirectory() as folder:
        file, facts = Path(folder) / f"Pulumi.{stack}.yaml", Path(folder) / f"{stack}.json"
        file.write_text(filled(stack).replace("key-fill-me-in", "ml-admins"))
        facts.write_text(filled_facts(stack).replace("key-fill-me-in", "ml-admins"))
        return load(stack, file, facts)


@cache
def wanted(stack: str) -> Wanted:
    """What it asks an account about."""
    return Wanted(opened(stack).derive(), AS_OF)
