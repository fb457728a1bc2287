"""Every named mistake is refused by us, at its place in the file, and by AWS's package where it looks."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from muster.authority.moto_content import moto_content, placeholder_id
from muster.authority.validation import Level, validate_configuration
from muster.authority.worker_process import Worker
from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.blueprint.parallelcluster.configuration import configuration
from muster.config.document import LocatedFinding
from muster.config.stack_file import load
from muster.policies.coverage.parallelcluster_validators import BREAKS
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge_stack
from tests.authority.judged import AMI
from tests.stack_files import AS_OF, edited

TEXT = """\
config:
  aws:region: us-west-2
  muster:cluster:
    backend: parallelcluster
    version: "3.16.1"
    name: training
    os: alinux2023
    network:
      existing:
        vpc: vpc-0a1b2c3d4e5f60718
        private:
          us-west-2a: subnet-0a1b2c3d4e5f60718
          us-west-2b: subnet-0a1b2c3d4e5f60719
    head:
      instance: m5.8xlarge
      login: ssm
    slurm:
      settings: {MaxJobCount: 1000}
    queues:
      gpu:
        zones: [us-west-2a]
        groups:
          workers:
            for: training
            instance: p4de.24xlarge
            nodes: {min: 4, max: 4}
            memory: 1000GiB
            capacity:
              reservation: {id: cr-0a1b2c3d4e5f60718, zone: us-west-2a, count: 4, provided-by: aws}
    storage:
      fsx: {lustre: {size: 4800GiB, throughput: 250}}
"""

_RESERVATION = "reservation: {id: cr-0a1b2c3d4e5f60718, zone: us-west-2a, count: 4, provided-by: aws}"
_RESERVATION_GROUP = (
    "reservation-group: {arn: 'arn:aws:resource-groups:us-west-2:111122223333:group/a', zone: us-west-2a, count: 4, "
    "provided-by: aws}"
)
_BLOCK = (
    'capacity-block: {id: cr-0a1b2c3d4e5f60718, zone: us-west-2a, count: 4, starts: "2026-12-01", ends: "2026-12-05"}'
)
_LONG = "a" * 26
_RSA = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC000000000000000000000000000000000000000000 ml@example.com"
_ACCOUNTING = """\
    accounting:
      server: db.example.com:3306
      user: slurm
      password-secret: arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm-Ab12Cd
    head:"""

Json = dict[str, Any]


@dataclass(frozen=True)
class Break:
    """One mistake, in the description and in the configuration."""

    changes: tuple[tuple[str, str], ...]
    """Text that stands once in the stack file -> what is written instead."""
    points_at: str
    """What stands in the file at the line and column that we must name."""
    in_configuration: Callable[[Json, Json], None] | None = None
    """The same in what AWS gets, and what its account says of it; None where the description can say it: then what is
    rendered is judged."""
    facts: str = ""
    name: str = ""
    """Of the cluster, where the description takes none such."""


def _workers(said: Json) -> Json:
    found: Json = said["Scheduling"]["SlurmQueues"][0]["ComputeResources"][0]
    return found


def _both(said: Json, _: Json) -> None:
    arn = "arn:aws:resource-groups:us-west-2:111122223333:group/a"
    _workers(said)["CapacityReservationTarget"]["CapacityReservationResourceGroupArn"] = arn


def _alinux2(said: Json, _: Json) -> None:
    said["Image"]["Os"] = "alinux2"


def _unknown_key(said: Json, _: Json) -> None:
    _workers(said)["MaxCoutn"] = 4


def _placement_group(said: Json, _: Json) -> None:
    _workers(said)["Networking"] = {"PlacementGroup": {"Enabled": True}}


def _long_queue(said: Json, _: Json) -> None:
    said["Scheduling"]["SlurmQueues"][0]["Name"] = _LONG


def _same_place(said: Json, _: Json) -> None:
    said["SharedStorage"][1]["MountDir"] = "/apps"


def _accounting(said: Json, _: Json) -> None:
    said["Scheduling"]["SlurmSettings"]["Database"] = {
        "Uri": "db.example.com:3306",
        "UserName": "slurm",
        "PasswordSecretArn": "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm-Ab12Cd",
    }


MADE: dict[str, Break] = {
    "both a reservation's id and a reservation group": Break(
        (
            (
                _RESERVATION,
                f"{_RESERVATION}\n              {_RESERVATION_GROUP}",
            ),
        ),
        "capacity:",
        _both,
    ),
    "EFA on m5": Break(
        (
            (_RESERVATION, "on-demand: {}"),
            ("instance: p4de.24xlarge", "instance: m5.8xlarge\n            efa: true"),
            ("1000GiB", "100GiB"),
        ),
        "true",
    ),
    "several subnets with EFA": Break(
        ((_RESERVATION, "on-demand: {}"), ("zones: [us-west-2a]", "zones: [us-west-2a, us-west-2b]")),
        "[us-west-2a, us-west-2b]",
    ),
    "a Capacity Block with a minimum of nodes below the maximum": Break(
        ((_RESERVATION, _BLOCK), ("nodes: {min: 4, max: 4}", "nodes: {min: 1, max: 4}")), "{min: 1, max: 4}"
    ),
    "alinux2": Break((("os: alinux2023", "os: alinux2"),), "alinux2", _alinux2),
    "an unknown key": Break((("nodes: {min: 4, max: 4}", "nodse: {min: 4, max: 4}"),), "nodse", _unknown_key),
    "a placement group on a reservation that AWS provided": Break(
        (("provided-by: aws}", "provided-by: aws, placement-group: ours}"),), "ours", _placement_group
    ),
    "a file system with a throughput that FSx does not offer": Break((("throughput: 250", "throughput: 300"),), "300"),
    "a queue's name that is too long": Break((("      gpu:", f"      {_LONG}:"),), f"{_LONG}:", _long_queue),
    "a reservation in another zone": Break((("zones: [us-west-2a]", "zones: [us-west-2b]"),), "us-west-2a, count"),
    "a reservation of another type": Break(
        (), "p4de.24xlarge", facts='{"reservations": {"cr-0a1b2c3d4e5f60718": {"instanceType": "p4d.24xlarge"}}}'
    ),
    "more nodes than the reservation holds": Break((("count: 4", "count: 3"),), "3, provided"),
    "more memory than the type has": Break((("1000GiB", "2000GiB"),), "2000GiB"),
    "two file systems at one mount directory": Break((("      fsx:", "      apps:"),), "{lustre", _same_place),
    "a Slurm setting that ParallelCluster reserves": Break((("MaxJobCount: 1000", "Prolog: mine"),), "mine"),
    "an image built by another version": Break(
        (("os: alinux2023", f"os: alinux2023\n    image: {AMI}"),),
        AMI,
        facts=f'{{"images": {{"{AMI}": {{"parallelclusterVersion": "3.14.0"}}}}}}',
    ),
    "V100s on ParallelCluster's own image": Break(
        (
            (_RESERVATION, "on-demand: {}"),
            ("instance: p4de.24xlarge", "instance: p3dn.24xlarge"),
            ("1000GiB", "700GiB"),
        ),
        "p3dn.24xlarge",
    ),
    "an RSA key on Ubuntu": Break(
        (
            ("alinux2023", "ubuntu2404"),
            ("login: ssm", f"login: {{public-key: {_RSA}}}\n      ssh-from: 198.51.100.0/24"),
        ),
        "{public-key",
    ),
    "accounting with a name of more than 40 characters": Break(
        (("    head:", _ACCOUNTING), ("name: training", f"name: {'a' * 41}")),
        "a" * 41,
        _accounting,
        name="a" * 41,
    ),
}


def test_each_mistake_is_made() -> None:
    """The table's names are those that are tried here."""
    assert set(BREAKS) == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_we_refuse_each_mistake_at_its_place(name: str, tmp_path: Path) -> None:
    """With the rule that the table names, at the line and column where it stands."""
    text = _text(name)
    found = [each for each in _ours(tmp_path, text, MADE[name].facts) if each.finding.rule == BREAKS[name].ours]
    before = text[: text.rindex(MADE[name].points_at)]
    place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert place in {(each.position.line, each.position.column) for each in found}, found


@pytest.mark.parametrize("name", MADE)
def test_aws_refuses_what_the_table_says(name: str, aws: Worker, tmp_path: Path) -> None:
    """By the schema or by these validators, and by no others; where it says nothing, the table says why."""
    made, refusal = MADE[name], BREAKS[name]
    text = TEXT if made.in_configuration else _text(name)
    blueprint = _blueprint(tmp_path, text, made.facts)
    said, around = deepcopy(configuration(blueprint, placeholder_id)), moto_content(blueprint)
    if made.in_configuration:
        made.in_configuration(said, around)
    messages = validate_configuration(said, made.name or blueprint.cluster_name, around).messages
    assert {each.validator for each in messages if each.level is Level.ERROR} == set(refusal.aws)
    assert bool(refusal.aws) is not bool(refusal.why)


def test_the_cluster_without_a_mistake_is_refused_by_nobody(aws: Worker, tmp_path: Path) -> None:
    """What is refused above is refused for the mistake."""
    assert _ours(tmp_path, TEXT, "") == []
    blueprint = _blueprint(tmp_path, TEXT, "")
    messages = validate_configuration(
        configuration(blueprint, placeholder_id), blueprint.cluster_name, moto_content(blueprint)
    ).messages
    assert not [each for each in messages if each.level is Level.ERROR]


def _text(name: str) -> str:
    text = TEXT
    for before, after in MADE[name].changes:
        text = edited(text, before, after)
    return text


def _ours(folder: Path, text: str, facts: str) -> list[LocatedFinding]:
    file, facts_file = folder / "Pulumi.broken.yaml", folder / "broken.json"
    file.write_text(text)
    if facts:
        facts_file.write_text(facts)
    opened = load("broken", file, facts_file)
    if opened.described is None:
        return list(opened.faults)
    judgement = judge_stack(opened, described_fleet(opened.derive(), date.fromisoformat(AS_OF)))
    return [opened.locate(each) for each in judgement.findings]


def _blueprint(folder: Path, text: str, facts: str) -> ParallelClusterBlueprint:
    _ours(folder, text, facts)
    opened = load("broken", folder / "Pulumi.broken.yaml", folder / "broken.json")
    assert opened.described is not None, opened.faults
    blueprint = opened.derive()
    assert isinstance(blueprint, ParallelClusterBlueprint)
    return blueprint
