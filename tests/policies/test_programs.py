"""Programs of other teams on the offline monitor: with ids known, and as in a preview."""

import pytest

from muster.finding import Level
from muster.fleet.resources import Ref
from muster.policies.engine.judgement import Judgement, judge
from muster.policies.engine.rule_index import sheet_of
from tests.policies.programs.pairs import breaking, keeping, modules


def found(judgement: Judgement) -> set[tuple[str, str]]:
    """(rule, logical name): findings name resources by URN."""
    return {(each.rule, Ref.of_urn(each.where).name) for each in judgement.findings}


of_each_module = pytest.mark.parametrize("module", modules())
seen_both_ways = pytest.mark.parametrize("preview", [False, True], ids=["known", "preview"])


@of_each_module
@seen_both_ways
def test_a_program_that_breaks_a_rule(module: str, *, preview: bool) -> None:
    for program in (each for each in breaking() if each.module == module):
        judgement = judge(program.fleet(preview=preview))
        assert found(judgement) == {(rule, at) for rule in program.rules for at in program.at}
        for finding in judgement.findings:
            assert finding.where == finding.resource
            assert finding.level in (sheet_of(finding.rule).level, Level.ADVISORY)


@of_each_module
@seen_both_ways
def test_a_program_that_keeps_it(module: str, *, preview: bool) -> None:
    for program in (each for each in keeping() if each.module == module):
        judgement = judge(program.fleet(preview=preview))
        assert found(judgement) == set(), program.rules
        assert [rule for rule in program.rules if not judgement.judged[rule]] == []
        assert set(program.rules) & {each.rule for each in judgement.not_evaluated} == set()
