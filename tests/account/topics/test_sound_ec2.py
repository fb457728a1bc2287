"""Every reference stack, asked of a sound account: nothing is found, and nothing stays open."""

from datetime import UTC, datetime

import pytest

from muster.account.capacity_queries import LISTING_GROUPS
from muster.account.preflight import merge_facts, run_topics
from muster.account.topic import PreflightRequest
from muster.account.topics.capacity import RESERVATIONS
from muster.account.topics.images import CUSTOM_IMAGES
from muster.account.topics.network import NETWORK, SECURITY_GROUPS
from muster.account.topics.offerings import OFFERINGS
from muster.blueprint.derive.cluster import derive
from muster.config.project import stacks
from muster.fleet.facts import Facts
from policies.engine.catalogue import rule_of
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import judge
from tests.account.needs import opened
from tests.account.sound_ec2 import answers
from tests.account.told import Told
from tests.factories import AS_OF, NOW
from tests.stack_files import ROOT

TOPICS = (RESERVATIONS, OFFERINGS, NETWORK, SECURITY_GROUPS, CUSTOM_IMAGES)
READ = [
    *("named-things-exist", "named-things-in-vpc", "reservation-free-for-nodes", "subnet-reaches-aws"),
    *("type-offered-in-zone", "vpc-resolves-names", "reservation-usable", "reservation-covers-nodes"),
    *("reservation-zone-matches-subnet", "reservation-instance-type-matches", "subnet-holds-nodes"),
    *("subnet-holds-all-nodes", "subnet-zone-as-declared", "several-interfaces-private-subnets"),
    *("efa-security-groups-allow-themselves", "parallelcluster-image-of-version", "parallelcluster-key-fits-os"),
    *("parallelcluster-root-volume-holds-image", "capacity-block-waits", "reservation-as-declared"),
    *("placement-group-by-provenance", "hyperpod-private-subnets", "volumes-encrypted", "instance-offered-in-zone"),
]
"""The rules that read what these topics learn."""


def heard(stack: str):
    """What the topics come to; the key pair of the examples is filled in, too."""
    slurm = "head.login.key-pair" if "key-fill-me-in" in (ROOT / "stacks" / f"Pulumi.{stack}.yaml").read_text() else ""
    stacked = opened(stack, {slurm: "ml-admins"} if slurm else {})
    wanted = PreflightRequest(stacked.derive(), NOW)
    told = Told(answers(wanted))
    return stacked, run_topics(TOPICS, wanted, told), told


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_nothing_is_found_and_nothing_stays_open(stack: str) -> None:
    """The stack judged by what AWS says, and not by the facts beside it."""
    stacked, outcome, _ = heard(stack)
    assert outcome.unanswered == ()
    facts = merge_facts((outcome.facts, Facts(observed=datetime(2026, 11, 21, tzinfo=UTC))))
    if stacked.facts:  # of a file system or cluster that exists other topics ask
        kept = stacked.facts.model_dump(mode="json", by_alias=True, include={"clusters", "file_systems"})
        for each in kept["clusters"].values():
            each["exists"] = True
        facts = merge_facts((Facts.model_validate(kept), facts))
    made = derive(stacked.described, stack, stacked.region, facts)
    judgement = judge(described_fleet(made, AS_OF), rules=[rule_of(each) for each in READ])
    assert judgement.findings == ()
    # Ids of documentation's accounts are never asked about: a training plan has one in the examples.
    assert judgement.not_evaluated == ()


def test_what_is_asked_is_what_the_topics_ask_the_right_to() -> None:
    """Over all stacks: no right too few, none too many but those for what no reference stack names."""
    asked = {f"{each.service}:{each.operation}" for stack in stacks(ROOT) for each in heard(stack)[2].asked}
    # Who asks, every identity may.
    rights = {right for topic in TOPICS for right in topic.rights} | {"sts:GetCallerIdentity"}
    assert asked <= rights
    never = {"ram:GetResourceShareInvitations", "ram:ListPendingInvitationResources", "ec2:DescribeNetworkInterfaces"}
    never.add("resource-groups:GetGroupConfiguration")
    never |= LISTING_GROUPS.keys()
    assert rights - asked == never
