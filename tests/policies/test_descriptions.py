"""Laws of random legal descriptions of every backend: no rule refuses one, and with facts all rules judge it."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.config.description.root import model_of
from muster.config.validation import validate
from muster.finding import Level
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge
from tests.strategies import Described, legal
from tests.strategies.hyperpod import legal_hyperpod
from tests.strategies.hyperpod_slurm import legal_hyperpod_slurm
from tests.strategies.parallelcluster import legal_slurm
from tests.strategies.pcs import legal_pcs


@dataclass(frozen=True)
class Backend:
    """A backend's legal descriptions."""

    legal: st.SearchStrategy[Described]
    known: st.SearchStrategy[Described] | None = None
    """Those with facts about everything; None if there is no strategy for them."""
    untold: frozenset[str] = frozenset()
    """Rules about what AWS does not state, even with facts."""


ROLES = frozenset({"given-roles-usable", "iam-of-this-account", "parallelcluster-scripts-readable"})
"""Random facts have no existing roles, and so not what these may read; the corpus has."""
UNTOLD = ROLES | {"placement-group-fits-capacity", "quota-covers-vcpus", "reservation-instance-type-matches"}
"""That a reservation was made in no placement group, which spot quota counts the newest types, and the type of an
offering that is still to be bought."""

BACKENDS: Mapping[str, Backend] = {
    "eks": Backend(legal(), legal(facts=True), UNTOLD),
    "hyperpod": Backend(legal_hyperpod(), legal_hyperpod(facts=True), ROLES),
    "hyperpod-slurm": Backend(legal_hyperpod_slurm()),
    "parallelcluster": Backend(legal_slurm(), legal_slurm(facts=True), UNTOLD),
    "pcs": Backend(legal_pcs()),
}

ADVICE_FOR_LEGAL_ONES = {
    "addon-has-what-it-needs",
    "aws-auth-kept",
    "efa-used-fully",
    "hyperpod-huge-pages-set-aside",
    "lustre-has-its-driver",
    "node-role-narrow",
    "parallelcluster-neuron-software",
    "placement-group-fits-capacity",
    "private-api-reached",
    "shared-storage-has-its-driver",
    "training-operator-resumes-jobs",
    "type-offered-in-zone",
}
"""Advice that a legal description may be given all the same: a GitOps tool may install what add-ons of EKS come after,
a cluster may have no access entries, EFA may be off, scripts of one's own may set pages aside or install a driver,
nodes may mount a file system by themselves or have a broad policy, HyperPod may start no job again, add-ons may come
from inside a new VPC with a private API, and the table of offerings is indicative."""


def judgement_of(described: Described) -> Judgement:
    made, faults = validate(model_of(described.document), described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    return judge(described_fleet(blueprint, described.as_of), made.suppress)


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
@settings(max_examples=80)
@given(data=st.data())
def test_a_legal_description_is_clean(backend: Backend, data: st.DataObject) -> None:
    findings = judgement_of(data.draw(backend.legal)).findings
    assert {(each.rule, each.where) for each in findings if each.rule not in ADVICE_FOR_LEGAL_ONES} == set()
    assert all(each.level is Level.ADVISORY for each in findings)


@pytest.mark.parametrize("name", [name for name, backend in BACKENDS.items() if backend.known is not None])
@settings(max_examples=15)
@given(data=st.data())
def test_with_facts_everything_is_judged(name: str, data: st.DataObject) -> None:
    """Except the rules about what AWS does not state."""
    judgement = judgement_of(data.draw(BACKENDS[name].known))
    assert {each.rule for each in judgement.not_evaluated} <= BACKENDS[name].untold
