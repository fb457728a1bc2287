"""What Muster registers of a cluster, written as ParallelCluster's own file and read back, is judged alike."""

from typing import Any

import pytest
import yaml

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import CLOUDFORMATION_STACK
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.policies.views.cloudformation import template_of
from muster.policies.views.parallelcluster_configuration import configurations_in
from muster.policies.views.references import References
from muster.sources.source import InvalidFile
from tests.corpus import Entry, entries
from tests.corpus.judged import facts_of, region_of, registrations
from tests.sources.parallelcluster.files import a_file, the_format

NOT_IN_THE_FILE = frozenset(
    {
        "parallelcluster-image-of-version",
        "parallelcluster-template-readable",
        "parallelcluster-version-known",
    }
)
"""Rules that ask for the version of ParallelCluster or the template: no configuration has them."""


CLUSTERS = [each for each in entries() if each.stack.startswith("pcluster") and not each.refused]


@pytest.mark.parametrize("entry", CLUSTERS, ids=lambda each: each.name)
def test_the_file_is_judged_as_the_stack(entry: Entry) -> None:
    made = registrations(entry, entry.opened())
    (stack,) = (each for each in made if each.type == CLOUDFORMATION_STACK)
    try:
        source = the_format().read(a_file(yaml.safe_dump(configuration(stack), sort_keys=False)))
    except InvalidFile:
        pytest.skip("the registered configuration has another form")
    assert found(entry, source.registrations) == found(entry, [stack])


def configuration(stack: Registration) -> Any:
    """The configuration that the stack passes to ParallelCluster, with the ids of its parameters."""
    references = References([stack])
    template = template_of(stack, references, [])
    (one,) = configurations_in(stack, template, references)  # type: ignore[arg-type]
    return one.configuration


def found(entry: Entry, listed: Any) -> set[tuple[str, str]]:
    """What is found, in the words of the findings: they name the queue or the compute resource."""
    fleet = fleet_of(
        listed, facts=facts_of(entry), region=region_of(entry.opened(), entry), as_of=entry.as_of, facts_file="facts"
    )
    assert not fleet.unreadable
    judgement = judge(fleet)
    return {(each.rule, each.got) for each in judgement.findings if each.rule not in NOT_IN_THE_FILE}
