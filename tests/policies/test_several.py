"""Of several things each is judged: one that is fine, or that nobody can judge, hides no other beside it."""

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from muster.fleet.resources import AuthorityReport, Fleet, Mount, Place, PodOwner, PodTemplate, Ref, ValidatorMessage
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from policies.lookups.pods import PLUGINS
from tests.factories import a_fleet, a_template, described
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.addons import HYPERPOD, an_addon, loose
from tests.policies.cases.pods import PAGES
from tests.policies.pods import a_pod, asking
from tests.policies.security import ROOT, mount, pods
from tests.slurms import APPS, FSX, a_pcluster, a_queue, a_resource, a_slurm_fleet


def _judged(rule: str, fleet: Fleet) -> tuple[list[str], list[str]]:
    """What was found, and what was missing."""
    judgement = judge(fleet, rules=[rule_of(rule)])
    return [each.got for each in judgement.findings], [each.missing for each in judgement.not_evaluated]


def _of(owner: PodOwner, *specs: Any) -> PodOwner:
    """The object with a template for each of some specs."""
    return replace(owner, templates=tuple(PodTemplate(f"spec[{index}]", spec) for index, spec in enumerate(specs)))


@pytest.mark.parametrize(
    ("plugin", "asked"),
    [
        ({}, []),
        ({"image": {"tag": "v0.19.1"}, "mofedEnabled": False}, []),
        ({"image": {"tag": "ours"}}, ["the release of the NVIDIA device plugin of hyperpod-helm-chart"]),
    ],
    ids=["of another release", "told not to", "nobody knows"],
)
def test_a_second_plugin_of_one_add_on(plugin: dict[str, Any], asked: list[str]) -> None:
    """HyperPod's chart may bring two: its own, and the GPU operator's."""
    addon = an_addon(HYPERPOD, values={"nvidia-device-plugin": plugin, "gpu-operator": {"enabled": True}})
    (got,), missing = _judged("nvidia-plugin-spares-efa", loose(addon))
    assert got.startswith("the NVIDIA device plugin v0.19.0 of hyperpod-helm-chart on ")
    assert missing == asked


ELSEWHERE = {"nodeSelector": {"team": "x"}}


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        ({"containers": [asking({})]}, []),
        ({"containers": [asking({PAGES: "2Mi"})]}, []),
        ({"containers": [asking({PAGES: "2Mi"})], **ELSEWHERE}, ["how many huge pages the nodes of spec[0] have"]),
    ],
    ids=["none", "enough", "nobody knows"],
)
def test_huge_pages_of_a_second_kind_of_pod(first: dict[str, Any], asked: list[str]) -> None:
    """Each kind asks for its own."""
    said = b64encode(b"sysctl -w vm.nr_hugepages=8\n").decode()
    fleet = a_fleet(a_template(user_data=said), _of(a_pod(), first, {"containers": [asking({PAGES: "18Mi"})]}))
    assert _judged("huge-pages-within-node", fleet) == (
        ["spec[1] asks 18Mi of hugepages-2Mi; nodes of workers set 16Mi of hugepages-2Mi aside"],
        asked,
    )


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        (UNKNOWN, ["the containers of spec[0], not known before creation"]),
        ({"containers": [{"name": "plugin", **ROOT}], "volumes": mount(str(PLUGINS))}, []),
        ({"containers": UNKNOWN}, ["the containers of spec[0], not known before creation"]),
        ({"containers": [{"name": "fine"}]}, []),
    ],
    ids=["nobody knows", "a device plugin", "containers nobody knows", "fine"],
)
def test_a_second_kind_of_pod_that_is_privileged(first: Any, asked: list[str]) -> None:
    """Each kind is its own."""
    owner = _of(pods("DaemonSet", "ours"), first, {"containers": [{"name": "root", **ROOT}]})
    assert _judged("pods-not-privileged", a_fleet(owner)) == (
        ["the container root of spec[1] is privileged (securityContext.privileged)"],
        asked,
    )


def _queues(*types: Iterable[str]) -> Fleet:
    things = []
    for index, named in enumerate(types):
        name = f"q{index}"
        things += [a_queue(name), a_resource(f"r{index}", name, instances=tuple(named))]
    return a_slurm_fleet(*things)


@pytest.mark.parametrize("types", [(["p9.huge"], ["p5.48xlarge"]), (["p5.48xlarge"], ["p9.huge"])])
def test_a_type_that_nobody_knows_beside_one_that_is_known(types: tuple[list[str], list[str]]) -> None:
    """Whichever queue comes first: it may have disks."""
    assert _judged("parallelcluster-mount-dirs-apart", _queues(*types)) == (
        [],
        ["the hardware of p9.huge, which is not catalogued"],
    )


def _mounting(*mounts: Mount) -> tuple[list[str], list[str]]:
    return _judged("parallelcluster-storage-within-limits", a_slurm_fleet(a_pcluster(mounts=mounts)))


def test_a_storage_of_a_kind_not_yet_known_is_asked_for_where_it_may_be_one_too_many() -> None:
    """Of some kinds a cluster makes one; of all others there is room for it."""
    unseen, scratch = Mount("unseen", "/unseen", UNKNOWN), Mount("scratch", "/scratch", "FsxLustre")
    assert _mounting(APPS, FSX, unseen) == ([], [])
    assert _mounting(scratch, unseen) == (
        [],
        ["what kind 1 shared storage is of, not known before creation"],
    )
    assert _mounting(unseen, unseen) == (
        [],
        ["what kind 2 shared storages are of, not known before creation"],
    )


@pytest.mark.parametrize("types", [("ml.c5.2xlarge", "ml.p9.48xlarge"), ("ml.p9.48xlarge", "ml.c5.2xlarge")])
def test_a_type_that_nobody_knows_beside_one_without_efa(types: tuple[str, str]) -> None:
    """A group of several types has EFA as soon as one of them has: whether it does is to be asked."""
    group = an_instance_group(instance_type=None, requirements=types)
    assert _judged("hyperpod-security-groups-allow-themselves", a_hyperpod_fleet(group)) == (
        [],
        ["the hardware of ml.p9.48xlarge, which is not catalogued"],
    )


def test_each_device_that_another_stack_may_offer_is_asked_for() -> None:
    """Of one that nobody offers, and of the next."""
    away = "stack platform: its outputs cannot be read"
    fleet = replace(described({"addons": {}}), absent=(away,))
    assert _judged("group-has-its-device-plugin", fleet) == (
        [],
        [
            f"whether another stack offers {resource}: {away}"
            for resource in ("nvidia.com/gpu", "vpc.amazonaws.com/efa")
        ],
    )


@pytest.mark.parametrize("types", list(permutations(("a9.huge", "g5.12xlarge", "p5.48xlarge", "z9.huge"))))
def test_a_type_that_no_block_comes_in_beside_one_that_nobody_knows(types: tuple[str, ...]) -> None:
    """Of several types each is asked, whichever is named first."""
    group = a_resource(capacity_type="CAPACITY_BLOCK", instances=types)
    assert _judged("capacity-block-instance-type", a_slurm_fleet(group)) == (
        ["a Capacity Block of g5.12xlarge: AWS sells none"],
        [f"whether {each} comes in Capacity Blocks: it is not catalogued" for each in ("a9.huge", "z9.huge")],
    )


SAID = (
    ValidatorMessage("schema", "ERROR", "Not an integer.", "", ""),
    ValidatorMessage("EfaValidator", "ERROR", "KeyError: 'x'", "", "", failed=True),
    ValidatorMessage("EfaValidator", "ERROR", "No EFA.", "", ""),
    ValidatorMessage("NameValidator", "WARNING", "A long name.", "", ""),
)
AWS_SAYS = {
    "parallelcluster-schema": (["ParallelCluster's schema says: Not an integer"], []),
    "parallelcluster-validator": (
        ["ParallelCluster's EfaValidator says: No EFA"],
        ["an answer that EfaValidator could work with: KeyError: 'x'"],
    ),
    "parallelcluster-warning": (["ParallelCluster's NameValidator says: A long name"], []),
}


@pytest.mark.parametrize("rule", AWS_SAYS)
def test_each_thing_that_aws_says_is_told_by_its_rule(rule: str) -> None:
    """In whatever order they are said: one that failed, or that another rule tells, hides no other."""
    for said in permutations(SAID):
        report = AuthorityReport(Ref("muster:parallelcluster:Authority", "slurm"), Place(""), said)
        assert _judged(rule, a_slurm_fleet(report)) == AWS_SAYS[rule]
