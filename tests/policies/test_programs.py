"""Programs of other teams on the offline monitor, with known ids and in a preview."""

import pytest

from muster.finding import Level
from muster.fleet.resources import Ref
from muster.policies.engine.judgement import judge
from muster.policies.engine.rule_index import sheet_of
from tests.policies.programs.program import programs


@pytest.mark.parametrize("name", programs())
@pytest.mark.parametrize("preview", [False, True], ids=["known", "preview"])
def test_a_shape_of_resources(name: str, *, preview: bool) -> None:
    """The broken program breaks exactly these rules, at these resources. The sound one breaks none, and all judge
    it."""
    one = programs()[name]
    broken = judge(one.fleet(broken=True, preview=preview))
    assert {(each.rule, Ref.of_urn(each.where).name) for each in broken.findings} == one.faults
    for finding in broken.findings:
        assert finding.where == finding.resource
        assert finding.level in (sheet_of(finding.rule).level, Level.ADVISORY)
    sound = judge(one.fleet(broken=False, preview=preview))
    rules = {rule for rule, _ in one.faults}
    assert sound.findings == ()
    assert [rule for rule in rules if not sound.judged[rule]] == []
    assert rules & {each.rule for each in sound.not_evaluated} == set()
