"""Configurations as text, and what is said of them. Modelled on those of aws-parallelcluster's integration tests and of
awsome-distributed-training, in other words."""

from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from muster.cli.findings import StackReport
from muster.cli.rule_selection import RuleSelection
from muster.cli.source_files import judge_source
from muster.policies.engine.configuration import Configuration
from muster.sources.formats import FORMATS, Format
from muster.sources.source import InputFile
from muster.yaml_text import load_all

AS_OF = date(2026, 11, 21)
SUBNET = "subnet-0123456789abcdef0"
RESERVATION = "cr-0123456789abcdef0"

SOUND = f"""\
# two p5 on a reservation that AWS provided
Region: us-west-2
Image: {{Os: alinux2023}}
HeadNode:
  InstanceType: m5.8xlarge
  Networking: {{SubnetId: {SUBNET}}}
  Ssh: {{KeyName: ml-admins, AllowedIps: 203.0.113.0/24}}
Scheduling:
  Scheduler: slurm
  SlurmQueues:
    - Name: train
      Networking: {{SubnetIds: [{SUBNET}]}}
      ComputeResources:
        - Name: workers
          InstanceType: p5.48xlarge
          MinCount: 2
          MaxCount: 2
          Efa: {{Enabled: true}}
          CapacityReservationTarget: {{CapacityReservationId: {RESERVATION}}}
          Networking: {{PlacementGroup: {{Enabled: false}}}}
SharedStorage:
  - Name: fsx
    MountDir: /fsx
    StorageType: FsxLustre
    FsxLustreSettings: {{StorageCapacity: 1200, DeletionPolicy: Retain}}
"""


def a_file(text: str, name: str = "cluster.yaml") -> InputFile:
    """A file with this text."""
    return InputFile(Path(name), text, tuple(load_all(text, template=True)), is_json=False)


def changed(*edits: tuple[str, str]) -> str:
    """The sound configuration with parts replaced, each of which it has once."""
    text = SOUND
    for before, after in edits:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    return text


def with_keys(**keys: Any) -> str:
    """The sound configuration with other top-level keys."""
    return yaml.safe_dump({**yaml.safe_load(SOUND), **keys}, sort_keys=False)


@cache
def the_format(name: str = "parallelcluster") -> Format:
    """A format by its id."""
    return next(each for each in FORMATS if each.id == name)


def report(text: str) -> StackReport:
    """What is said of a configuration."""
    return judge_source(a_file(text), the_format(), RuleSelection(Configuration()), AS_OF)


def said(text: str) -> set[tuple[str, int]]:
    """Rules that find something, with the line."""
    found = report(text)
    assert found.bugs == ()
    return {(each.rule, each.where.line) for each in found.findings}


def unsaid(text: str) -> dict[str, set[str]]:
    """Rules that are not evaluated, with what is missing."""
    made: dict[str, set[str]] = {}
    for each in report(text).not_evaluated:
        made.setdefault(each.rule, set()).add(each.missing)
    return made
