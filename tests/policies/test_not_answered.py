"""What a preflight asked and AWS did not answer is not evaluated, and what a person leaves out is no question."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

import pytest

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from muster.fleet.unanswered_queries import UnansweredQuery
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from tests.factories import FS, a_fleet, a_group, a_template, an_existing_file_system, facts, file_system_facts
from tests.hyperpods import SCRIPTS, a_hyperpod_fleet, a_lifecycle, an_instance_group, plan_facts
from tests.policies.cases.existing_clusters import a_cluster
from tests.policies.cases.training_plans import planned

PATH = "/teams/ml/images/training-2026-11"
FORM = "(`muster schema facts` shows the form)"


def self_managed() -> Fleet:
    """A group that looks its image up."""
    return a_fleet(a_template(image=f"resolve:ssm:{PATH}"), a_group(managed=False))


def with_scripts() -> Fleet:
    """A group with scripts in a bucket that exists."""
    return a_hyperpod_fleet(an_instance_group(lifecycle=a_lifecycle(f"s3://{SCRIPTS}/p5")))


UNANSWERED = [
    ("kubernetes-version-offered", a_fleet(), "", f"whether EKS offers Kubernetes 1.35 {FORM}"),
    (
        "existing-cluster-as-declared",
        a_fleet(a_cluster()),
        "",
        f"the Kubernetes version, VPC, authentication mode and security group of EKS cluster theirs {FORM}",
    ),
    ("existing-cluster-active", a_fleet(a_cluster()), "", f"the state of EKS cluster theirs {FORM}"),
    (
        "image-parameter-exists",
        self_managed(),
        "groups.workers",
        f"whether there is an image parameter {PATH} {FORM}",
    ),
    (
        "lifecycle-bundle-private",
        with_scripts(),
        "hyperpod",
        f"the public access block of the bucket {SCRIPTS} {FORM}",
    ),
    ("lifecycle-bundle-versioned", with_scripts(), "hyperpod", f"the versioning of the bucket {SCRIPTS} {FORM}"),
]
each = pytest.mark.parametrize(("rule", "fleet", "at", "missing"), UNANSWERED, ids=[one[0] for one in UNANSWERED])


def unjudged(rule: str, fleet: Fleet, known: Facts | None) -> set[tuple[str, str]]:
    """What one rule could not judge, and what it lacked; it finds nothing."""
    judgement = judge(replace(fleet, facts=known), rules=[rule_of(rule)])
    assert judgement.findings == ()
    return {(one.resource, one.missing) for one in judgement.not_evaluated}


@each
def test_what_was_asked_and_not_answered_is_not_evaluated(rule, fleet, at, missing) -> None:
    """Once, with what is missing; never a pass."""
    asked = Facts(observed=datetime(2026, 11, 21, 9, tzinfo=UTC))
    assert unjudged(rule, fleet, asked) == {(at, missing)}


@each
def test_what_a_person_leaves_out_is_no_question(rule, fleet, at, missing) -> None:
    """Facts from before there was such a rule say what they always said; no facts say nothing."""
    assert unjudged(rule, fleet, facts(quotas={"L-417A185B": 384})) == set()
    assert unjudged(rule, fleet, None) == set()


def test_of_a_file_system_its_type_and_its_state_are_asked() -> None:
    """Each is missing by itself, and nothing of one that does not exist, or that a person speaks of."""
    fleet, at = a_fleet(an_existing_file_system()), "storage.scratch.existing-lustre"
    asked = {"observed": "2026-11-21T09:00:00Z", "quotas": {"L-417A185B": 1920}}
    known = file_system_facts().file_systems[FS].model_dump(mode="json", by_alias=True, exclude_none=True)
    words = {what: f"the {what} of file system {FS} {FORM}" for what in ("type", "state")}
    for what, missing in words.items():
        left = {FS: {key: value for key, value in known.items() if key != what}}
        assert unjudged("lustre-usable", fleet, facts(**asked, fileSystems=left)) == {(at, missing)}
        assert unjudged("lustre-usable", fleet, facts(fileSystems=left)) == set()
    assert unjudged("lustre-usable", fleet, facts(**asked)) == {(at, each) for each in words.values()}


SAID = {
    "mount-name": ("mount_name", "a1b2cdef"),
    "dns-name": ("dns_name", "fs.example.com"),
    "zone": ("zone", "us-west-2a"),
}
"""What a description says of a file system that exists, the field it is read into, and a value."""


@pytest.mark.parametrize("said", list(product([False, True], repeat=len(SAID))), ids=str)
def test_of_a_file_system_that_is_asked_which_its_description_says(said: tuple[bool, ...]) -> None:
    """Each by itself; of what the description leaves out nothing is to be compared."""
    known = {field: value if there else None for (field, value), there in zip(SAID.values(), said, strict=True)}
    fleet, at = a_fleet(an_existing_file_system(**known)), "storage.scratch.existing-lustre"
    missing = {(at, f"the {key} of file system {FS} {FORM}") for key, (field, _) in SAID.items() if known[field]}
    asked = {"observed": "2026-11-21T09:00:00Z"}
    assert unjudged("lustre-as-declared", fleet, facts(**asked)) == missing
    assert unjudged("lustre-as-declared", fleet, facts()) == set()
    told = file_system_facts(dnsName="fs.example.com").model_copy(
        update={"observed": datetime(2026, 11, 21, tzinfo=UTC)}
    )
    assert unjudged("lustre-as-declared", fleet, told) == set()


def test_of_a_training_plan_it_is_asked_how_much_is_free() -> None:
    """While it runs; a person need not know."""
    fleet = a_hyperpod_fleet(planned())
    seen = {"observed": datetime(2026, 11, 21, 9, tzinfo=UTC)}
    missing = f"how many instances of training plan spring are free {FORM}"
    assert unjudged("training-plan-covers-nodes", fleet, plan_facts()) == set()
    asked = plan_facts().model_copy(update=seen)
    assert unjudged("training-plan-covers-nodes", fleet, asked) == {("groups.workers", missing)}
    waits = plan_facts(state="Scheduled").model_copy(update=seen)
    assert unjudged("training-plan-covers-nodes", fleet, waits) == set()


@pytest.mark.parametrize("rule", ["existing-cluster-as-declared", "existing-cluster-active"])
def test_of_a_cluster_that_does_not_exist_nothing_is_missing(rule) -> None:
    """That there is none is the answer, and another rule's finding."""
    gone = facts(observed="2026-11-21T09:00:00Z", clusters={"theirs": {"exists": False}})
    assert unjudged(rule, a_fleet(a_cluster()), gone) == set()


@pytest.mark.parametrize("rule", ["lifecycle-bundle-private", "lifecycle-bundle-versioned"])
def test_of_a_bucket_that_does_not_exist_nothing_is_missing(rule) -> None:
    """As of a cluster."""
    gone = facts(observed="2026-11-21T09:00:00Z", buckets={SCRIPTS: {"exists": False}})
    assert unjudged(rule, with_scripts(), gone) == set()


def test_facts_of_a_stack_are_asked_for_by_the_command_that_asks() -> None:
    """Facts that a configuration names are another team's: no stack of that name is there to ask about."""
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json")
    assert fleet.missing("quota X") == "quota X in stacks/facts/p5.json (`muster preflight p5 --save` asks AWS)"
    theirs = replace(fleet, facts_file="muster.yaml (muster.facts)")
    assert theirs.missing("quota X") == "quota X in muster.yaml (muster.facts) (`muster schema facts` shows the form)"


def test_whoever_asks_is_not_told_to_ask() -> None:
    """In the run that asks: what was not answered about what is missing, and why; without any, that nothing tells."""
    unanswered = (
        UnansweredQuery("quota L-417A185B (Running On-Demand P instances) (denied)"),
        UnansweredQuery("subnets (timed out)", "ec2 DescribeSubnets subnet-0123456789abcdef0"),
    )
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json", unanswered=unanswered)
    quota, subnets = (each.words for each in unanswered)
    assert fleet.missing("quota L-417A185B: 192 vCPUs or more") == (
        f"quota L-417A185B: 192 vCPUs or more (AWS did not answer: {quota})"
    )
    assert fleet.missing("the zone of subnet-0123456789abcdef0") == (
        f"the zone of subnet-0123456789abcdef0 (AWS did not answer: {subnets})"
    )
    assert (
        fleet.missing("what may be done")
        == f"what may be done (AWS's answers do not say; not answered: {quota}, {subnets})"
    )
    assert replace(fleet, unanswered=()).missing("a chart") == (
        "a chart (AWS was asked for nothing that says; `muster schema facts` shows the form)"
    )


def test_what_is_to_be_filled_in_is_not_asked_for() -> None:
    """AWS knows no placeholder, whoever asks it."""
    fleet = replace(a_fleet(), facts_file="stacks/facts/p5.json")
    wanted = "the zones of subnets subnet-fill-me-in-a and subnet-fill-me-in-b"
    open_ = f"{wanted} (subnet-fill-me-in-a and subnet-fill-me-in-b are still to be filled in"
    assert fleet.missing(wanted) == f"{open_}; then `muster preflight p5 --save` asks AWS)"
    assert replace(fleet, unanswered=()).missing(wanted) == f"{open_})"
    assert fleet.missing("the image ami-fill-me-in") == (
        "the image ami-fill-me-in (ami-fill-me-in is still to be filled in; then `muster preflight p5 --save` asks AWS)"
    )
