"""What pages say that AWS's package answers, it answers."""

import pytest

from muster.authority.report import report
from muster.authority.session import Session
from muster.fleet.slurm_blueprint import SlurmBlueprint
from tests.authority.judged import stack
from tools.rules_pages.entries import answers, own_entry


@pytest.mark.parametrize("rule", ["parallelcluster-validator", "parallelcluster-warning"])
def test_aws_says_what_the_page_says(rule: str, aws: Session) -> None:
    """Nothing of the stack, and these words of the change. The schema's own example says that it is made up."""
    assert aws
    entry, answered = own_entry(rule), answers(rule)
    assert entry is not None
    assert answered is not None
    changed = entry.opened().derive()
    assert isinstance(changed, SlurmBlueprint)
    assert report(stack(entry.stack)).said == answered[0].said
    assert report(changed).said == answered[1].said
