"""Laws over random descriptions: a legal one is clean; one broken in one way yields exactly that, at that place."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.finding import SHAPE, Level
from muster.fleet.resources import ControlPlane, PodOwner
from policies.engine.catalogue import all_rules, rules_about
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import Judgement, judge
from tests.policies.case import all_cases
from tests.strategies import Broken, Described, Misshapen, Wanted, broken, legal, misshapen

SAID_OF_LEGAL_ONES = {
    "addon-has-a-use",
    "aws-auth-kept",
    "efa-used-fully",
    "instance-offered-in-zone",
    "training-operator-resumes-jobs",
}
"""Advice that a legal description may be given all the same: a training group may do without EFA, the table of
offerings is indicative, a cluster may have no access entries, HyperPod may start no job again, an add-on may have
nothing to do."""

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=40)
few = settings(slowly, max_examples=15)


def judgement_of(described: Described) -> Judgement:
    made, faults = validate(EksCluster, described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    return judge(described_fleet(blueprint, described.as_of), made.suppress)


def found(judgement: Judgement) -> set[tuple[str, str]]:
    return {(each.rule, each.where) for each in judgement.findings if each.rule not in SAID_OF_LEGAL_ONES}


@settings(slowly, max_examples=300)
@given(legal())
def test_a_legal_description_is_clean(described: Described) -> None:
    judgement = judgement_of(described)
    assert found(judgement) == set()
    assert all(each.level is Level.ADVISORY for each in judgement.findings)


@pytest.mark.parametrize("how", Broken, ids=lambda how: how.name.lower())
@slowly
@given(data=st.data())
def test_a_broken_one_yields_exactly_that(how: Broken, data: st.DataObject) -> None:
    described, expected = data.draw(broken(how))
    assert found(judgement_of(described)) == expected


@slowly
@given(legal(Wanted(joins=False)))
def test_an_api_open_to_all_is_advised_against(described: Described) -> None:
    opened = described.edit({"api": {"public": ["0.0.0.0/0"]}})
    assert found(judgement_of(opened)) == {("api-not-open-to-all", "api.public")}


@pytest.mark.parametrize("how", Misshapen, ids=lambda how: how.name.lower())
@few
@given(data=st.data())
def test_a_misshapen_one_yields_exactly_that_fault(how: Misshapen, data: st.DataObject) -> None:
    document, where, got = data.draw(misshapen(how))
    made, faults = validate(EksCluster, document)
    assert made is None
    assert [(finding.where, finding.rule) for _, finding in faults] == [(where, SHAPE)]
    assert faults[0][1].got.startswith(got), faults[0][1].got


@few
@given(st.data())
def test_several_faults_of_form_are_all_said_at_once(data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from([Misshapen.NUMBER_FOR_TEXT, Misshapen.NOT_AN_ID, Misshapen.NO_VALUE])))
    document, places = data.draw(legal(Wanted(network="existing"))).document, set()
    for how in set(kinds):
        edits, where, _ = how.value
        document = Described(document, "us-west-2").edit(edits).document
        places.add(where)
    _, faults = validate(EksCluster, document)
    assert {finding.where for _, finding in faults} == places


@few
@given(legal())
def test_what_could_not_be_judged_is_about_things_outside(described: Described) -> None:
    """Of a description everything is known but the account, what a Capacity Block's offering alone tells, and what AWS
    has not said."""
    for missing in judgement_of(described).not_evaluated:
        told = ("muster schema facts", "aws ec2 describe-capacity-block-offerings", "EC2's guide names none")
        assert any(each in missing.missing for each in told), missing


BROKEN_ABOVE = {"api-not-open-to-all"}
"""Rules with a test of their own here."""

OF_THE_ACCOUNT = {
    "facts-fresh",
    "facts-of-this-account",
    "identity-may-deploy",
    "named-things-exist",
    "named-things-in-vpc",
    "quota-covers-resources",
    "reservation-free-for-nodes",
    "subnet-reaches-aws",
    "type-offered-in-zone",
    "vpc-resolves-names",
}
"""Rules about what an account alone says: facts break them (`cases/account.py`, `cases/account_limits/`), no
description does."""


def broken_by_addons() -> set[str]:
    """Rules that descriptions with add-ons break, each by itself (`cases/addons/`)."""
    described = [one for one in all_cases() if any(plane.name == "test" for plane in one.fleet().of(ControlPlane))]
    alone = [one.finds for one in described if one.name.startswith("addons.") and len(one.finds) == 1]
    return {each.partition(" @ ")[0] for finds in alone for each in finds} - SAID_OF_LEGAL_ONES


DERIVED = {
    "api-networks-stated",
    "buckets-private",
    "capacity-block-managed-group",
    "capacity-block-no-placement-group",
    "capacity-block-template",
    "cluster-admin-named",
    "control-plane-zone-accepted",
    "credentials-not-exported",
    "credentials-not-in-the-clear",
    "custom-image-alone",
    "disk-and-access-in-template",
    "efa-fits-instance",
    "efa-not-attached-later",
    "efa-only-without-address",
    "image-fits-hardware",
    "image-still-made",
    "image-supports-kubernetes",
    "imds-out-of-pods",
    "imds-v2-required",
    "instance-type-catalogued",
    "instance-type-stated",
    "instance-type-stated-once",
    "instance-types-at-most-twenty",
    "interface-card-exists",
    "interface-device-index",
    "interface-slot-used-once",
    "interface-type-known",
    "interfaces-per-card",
    "lustre-efa-traffic-open",
    "lustre-import-path-complete",
    "managed-template-settings",
    "max-pods-within-addresses",
    "node-repair-limits-single",
    "node-role-narrow",
    "node-template-reaches-control-plane",
    "nodes-without-public-address",
    "one-efa-per-card",
    "placement-group-holds-reservations",
    "placement-group-one-zone",
    "primary-interface-not-efa-only",
    "primary-interface-present",
    "reservation-created-legal",
    "reservation-group-preference",
    "reservation-preference-beside-target",
    "reservation-preference-known",
    "reservation-target-given",
    "reservation-target-single",
    "secrets-under-own-key",
    "security-group-not-open-to-all",
    "security-groups-on-interfaces",
    "several-interfaces-no-public-ip",
    "update-limits-single",
    "volumes-encrypted",
    "vpc-cni-supports-efa",
}
"""Rules about what Muster derives: no description can break them, a foreign program can."""


OF_OTHERS = {each.id for each in rules_about("pods")} | {
    each.id for each in rules_about("security") if PodOwner in each.kinds
}
OF_OTHERS |= {"dra-driver-supported", "plugin-tolerates-health-taint"}
OF_OTHERS |= {"mlflow-server-legal", "mlflow-version-kept"}
"""Rules about what is in no description of EKS: pods, HyperPod's nodes, a tracking server, and versions that Muster
pins no EKS add-ons for."""


def test_every_rule_is_broken_by_descriptions_or_about_what_is_derived() -> None:
    """Of the rules about EKS; those about HyperPod alone are `test_hyperpod_descriptions`'s."""
    by_descriptions = {how.value.rule for how in Broken} | SAID_OF_LEGAL_ONES | BROKEN_ABOVE | broken_by_addons()
    assert not by_descriptions & (DERIVED | OF_OTHERS | OF_THE_ACCOUNT)
    assert by_descriptions | DERIVED | OF_OTHERS | OF_THE_ACCOUNT == {
        rule.id for rule in all_rules() if "eks" in rule.backends
    }
