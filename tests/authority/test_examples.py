"""What pages say that AWS's package answers, it answers."""

import pytest

from muster.authority.validation import package_report
from muster.authority.worker_process import Worker
from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from tests.authority.judged import stack
from tools.rules_pages.entries import answers, own_entry


@pytest.mark.parametrize("rule", ["parallelcluster-validator", "parallelcluster-warning"])
def test_aws_says_what_the_page_says(rule: str, aws: Worker) -> None:
    """Nothing of the stack, and these words of the change. The schema's own example says that it is made up."""
    assert aws
    entry, answered = own_entry(rule), answers(rule)
    assert entry is not None
    assert answered is not None
    changed = entry.opened().derive()
    assert isinstance(changed, ParallelClusterBlueprint)
    assert package_report(stack(entry.stack)).said == answered[0].said
    assert package_report(changed).said == answered[1].said
