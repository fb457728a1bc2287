"""Writes the description of the cluster that a CloudFormation template creates."""

from muster.sources.cloudformation.reader import read
from muster.sources.source import ImportedDescription, InputFile
from muster.sources.source_description import describe_source


def describe(file: InputFile, region: str | None = None) -> ImportedDescription:
    """The description of the file's cluster.

    Args:
        file: the file.
        region: its Region, instead of the one that the file has.

    Raises:
        CannotBeRead: the file has errors, or no cluster that a description can have.
    """
    return describe_source(file, read(file), region)
