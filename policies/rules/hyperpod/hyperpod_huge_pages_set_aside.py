"""Huge pages that a description promises of instances on which no script of Muster's runs."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, InstanceGroup, Lifecycle, Ref
from muster.hardware.huge_pages import PAGE
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.hyperpod import display_name


@rule(
    "hyperpod-huge-pages-set-aside",
    title="A script sets aside the huge pages that a group is said to have",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod sets none aside by itself: Muster's lifecycle scripts do. Where those do not run, plan and jobs "
    "count on pages that nobody has set aside, and a pod that asks for them waits for ever.",
    source="SageMaker guide, sagemaker-hyperpod-lifecycle-best-practices; awslabs/amazon-eks-ami#2367",
    remedy="Take Muster's scripts, have your own set them aside, or leave huge-pages out.",
    facts=("rules.md#43", "hardware.md#R8"),
)
def hyperpod_huge_pages_set_aside(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    pages, lifecycle = group.huge_pages, group.lifecycle
    if pages is None or not pages.mib:
        return
    if lifecycle is None:
        yield rule.finding(
            group.place,
            at="huge-pages",
            got=f"{display_name(group)} has lifecycle: none, so nothing sets its {pages} of huge pages aside",
            remedy="write lifecycle: default, or leave huge-pages out",
        )
    elif isinstance(lifecycle, Lifecycle) and not isinstance(lifecycle.source, Ref):
        yield rule.finding(
            group.place,
            at="huge-pages",
            got=f"no script of Muster's sets the {pages} of huge pages of {display_name(group)} aside: it runs your "
            "own",
            remedy=f"have them set vm.nr_hugepages to {pages.mib // PAGE.mib}, or leave huge-pages out",
        )
