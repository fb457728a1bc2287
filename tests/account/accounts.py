"""A sound account for a reference stack, and the command that asks it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muster.account.preflight import TOPICS, merge_facts, run_topics
from muster.account.topic import PreflightRequest
from muster.blueprint.derive.cluster import derive
from muster.fleet.facts import Facts
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge
from tests.account import sound_ec2, sound_quotas, sound_services
from tests.account.aws import Answers, Aws, playing
from tests.account.canned import Canned
from tests.account.needs import filled, needs
from tests.account.sound_ec2 import Ec2
from tests.cli.conftest import Muster, Ran
from tests.policies.findings import rule_of

IDENTITY = {
    "Account": sound_ec2.ACCOUNT,
    "Arn": f"arn:aws:sts::{sound_ec2.ACCOUNT}:assumed-role/ml-deployer/someone",
    "UserId": "AROAEXAMPLE:someone",
}


@dataclass
class Account:
    """One account, sound for a stack until a test breaks it."""

    stack: str
    wanted: PreflightRequest
    ec2: Ec2
    others: dict[str, Answers] = field(default_factory=dict)

    @classmethod
    def of(cls, stack: str, change: Mapping[str, Any] | None = None) -> "Account":
        """The account for a reference stack, filled in and changed."""
        wanted = needs(stack, change)
        made = sound_ec2.ec2(wanted)
        if sound_services.existing(wanted):
            made.interfaces += sound_services.interfaces(wanted)
            made.rules += sound_services.lustre_rules(CidrIpv4=sound_services.VPC_CIDR)
        for vpc in made.vpcs:
            block = {"CidrBlock": sound_services.VPC_CIDR, "CidrBlockState": {"State": "associated"}}
            vpc["CidrBlockAssociationSet"] = [block]
        limits, services = sound_quotas.answers(stack), sound_services.answers(wanted)
        beside = {key: each for key, each in limits.items() if not key.startswith("ec2.") or key in _ALONE}
        others = {**services, **beside, "sts.GetCallerIdentity": IDENTITY}
        others[FILE_SYSTEMS] = by_id(services[FILE_SYSTEMS], limits[FILE_SYSTEMS])
        return cls(stack, wanted, made, others)

    def answers(self) -> dict[str, Answers]:
        """What AWS says."""
        return {**self.ec2.answers(), **self.others}

    def facts(self) -> Facts:
        """What a preflight learns, without HTTP."""
        return run_topics(TOPICS, self.wanted, Canned(self.answers())).facts

    def judged(self, facts: Facts | None = None, rule: str = "") -> Judgement:
        """What all rules, or one, find by what a preflight learns."""
        known = merge_facts((facts or self.facts(), Facts(observed=datetime(2026, 11, 21, 9, tzinfo=UTC))))
        described: Any = self.wanted.blueprint.described
        blueprint = derive(described, self.wanted.blueprint.stack, self.wanted.region, known)
        fleet = described_fleet(blueprint, self.wanted.observed.date())
        return judge(fleet, rules=[rule_of(rule)] if rule else None)

    @property
    def reservation(self) -> dict[str, Any]:
        """The only one."""
        (one,) = self.ec2.reservations.values()
        return one


FILE_SYSTEMS = "fsx.DescribeFileSystems"


def by_id(named: Answers, every: Answers) -> Answers:
    """What is said of file systems by id, and of all of them."""

    def say(asked: Mapping[str, Any]) -> Any:
        answer = named if asked.get("FileSystemIds") else every
        return answer(asked) if callable(answer) else answer

    return say


_ALONE = frozenset({"ec2.DescribeAddresses", "ec2.DescribeInternetGateways"})
"""What of EC2 only quotas ask for."""


@contextmanager
def there(answers: Mapping[str, Answers], monkeypatch: pytest.MonkeyPatch) -> Iterator[Aws]:
    """An AWS that answers so, at AWS_ENDPOINT_URL."""
    aws = Aws(dict(answers))
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        yield aws


def preflight(account: Account, muster: Muster, monkeypatch: pytest.MonkeyPatch, *options: str) -> Ran:
    """Asks an account about its stack, by the command."""
    write(muster.folder, account.stack)
    with there(account.answers(), monkeypatch):
        return muster.judged("preflight", account.stack, "--json", *options)


def write(folder: Path, stack: str) -> None:
    """A reference stack's file, filled in, as `needs` reads it; no facts beside it."""
    (folder / "stacks" / f"Pulumi.{stack}.yaml").write_text(filled(stack))
