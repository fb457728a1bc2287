"""Opens descriptions of other tools' files as stacks."""

import json
from pathlib import Path

from muster.sources.source import ImportedDescription
from muster.stack.stack_file import StackFile, load


def opened(description: ImportedDescription, stack: str = "imported") -> StackFile:
    """The stack of a description, which has no faults."""
    config = {"aws:region": description.region or "us-west-2", "muster:cluster": description.cluster}
    text = json.dumps({"config": config})
    made = load(stack, Path(f"Pulumi.{stack}.yaml"), Path("facts.yaml"), text=text)
    assert [each.finding.got for each in made.faults] == []
    return made
