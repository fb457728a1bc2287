"""Programs of other teams on the offline monitor: with ids known, and as in a preview."""

import pytest

from muster.finding import Level
from muster.fleet.resources import Ref
from muster.policies.engine.catalogue import all_rules, rule_of
from muster.policies.engine.judgement import Judgement, judge
from tests.policies.programs.pairs import breaking, keeping, modules

ONLY_DESCRIBED = {
    "access-entries-taken",
    "addon-has-a-use",
    "addon-has-what-it-needs",
    "addon-image-of-its-chart",
    "addon-image-tag-exists",
    "addon-pods-have-nodes",
    "addon-serves-a-group",
    "addon-supports-kubernetes",
    "addon-values-have-a-form",
    "addon-values-known",
    "addon-version-of-its-form",
    "aws-auth-kept",
    "capacity-block-begun",
    "capacity-block-dates",
    "capacity-block-kept-by-id",
    "capacity-block-length",
    "capacity-block-not-bought-again",
    "daemons-fit-nodes",
    "eks-addons-pinned",
    "existing-cluster-active",
    "existing-cluster-as-declared",
    "feature-discovery-reaches-nodes",
    "group-has-its-device-plugin",
    "hyperpod-huge-pages-set-aside",
    "image-of-its-family",
    "kueue-serves-its-queues",
    "lustre-as-declared",
    "lustre-has-its-driver",
    "lustre-in-cluster-vpc",
    "lustre-mount-name-short",
    "lustre-usable",
    "managed-settings-only",
    "mlflow-pods-have-a-role",
    "monitor-kinds-installed",
    "named-things-exist",
    "named-things-in-vpc",
    "operators-fit-nodes",
    "quota-covers-vcpus",
    "region-known",
    "reservation-as-declared",
    "scaling-range-without-autoscaler",
    "shared-gpus-serve-jobs",
    "subnet-reaches-aws",
    "subnet-zone-as-declared",
    "training-gpus-not-shared",
    "training-group-has-accelerators",
    "training-group-has-devices",
    "ultraserver-has-compute-domains",
    "ultraserver-has-type",
    "ultraserver-spare-instances",
    "untainted-group",
    "vpc-resolves-names",
}
"""Rules about what only a description says: no program of another team can break them."""


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
            assert finding.level in (rule_of(finding.rule).level, Level.ADVISORY)


@of_each_module
@seen_both_ways
def test_a_program_that_keeps_it(module: str, *, preview: bool) -> None:
    for program in (each for each in keeping() if each.module == module):
        judgement = judge(program.fleet(preview=preview))
        assert found(judgement) == set(), program.rules
        assert [rule for rule in program.rules if not judgement.judged[rule]] == []
        assert set(program.rules) & {each.rule for each in judgement.not_evaluated} == set()


def test_every_rule_has_its_programs() -> None:
    every = {rule.id for rule in all_rules()} - ONLY_DESCRIBED
    for programs in (keeping(), breaking()):
        named = [rule for program in programs for rule in program.rules]
        assert sorted(named) == sorted(every)
