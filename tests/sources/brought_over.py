"""Opens descriptions of other tools' files as stacks."""

from pathlib import Path

import yaml

from muster.config.stack_file import StackFile, load_text
from muster.sources.source import ImportedDescription


def opened(description: ImportedDescription, stack: str = "imported") -> StackFile:
    """The stack of a description, which has no faults."""
    config = {"aws:region": description.region or "us-west-2", "muster:cluster": description.cluster}
    text = yaml.safe_dump({"config": config}, sort_keys=False)
    made = load_text(stack, text, Path(f"Pulumi.{stack}.yaml"), Path("facts.yaml"))
    assert [each.finding.got for each in made.faults] == []
    return made
