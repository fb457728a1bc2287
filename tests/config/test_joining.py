"""Add-ons of another stack's cluster: the form, and what does not fit between the stacks of one cluster."""

import json
from pathlib import Path
from typing import Any

import pytest

from muster.config.description.eks_cluster import EksCluster
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.description.root import model_of
from muster.policies.engine.described_fleet import observed_addons
from muster.stack.stack_file import load_values
from muster.unknown import UNKNOWN
from tests.shared_stacks import ADDONS, CLUSTER, FULL, Shared, outputs_of

SAID: dict[str, Any] = {"addons-of": FULL, "addons": {"mpi-operator": {}}}


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shared:
    """Both stacks of the example."""
    monkeypatch.chdir(tmp_path)
    return Shared.in_folder(tmp_path)


@pytest.mark.parametrize(
    ("raw", "form"),
    [
        (SAID, AddonsOf),
        ({"backend": "eks", **SAID}, AddonsOf),
        ({"addons_of": FULL}, AddonsOf),
        ({"addons": {}}, EksCluster),
        ({"backend": "hyper-pod"}, HyperPodCluster),
        ({"backend": "slurm", "hyperpod": {}}, SlurmCluster),
        ({"groups": {"workers": {"hyperpod": {}}}}, HyperPodCluster),
        ({"groups": ["hyperpod"]}, EksCluster),
        ({}, EksCluster),
        (None, EksCluster),
    ],
)
def test_the_form_follows_from_what_is_said(raw: object, form: type) -> None:
    """`addons-of` decides, then `backend`; what says neither is a cluster that lacks its backend."""
    assert model_of(raw) is form


def test_of_two_owners_each_is_told_where_the_other_is(shared: Shared) -> None:
    """Whichever stack is looked at, with the line in its own file and the place in the other's."""
    shared.edit("    addons-in:", "    addons: {mpi-operator: {}}\n    addons-in:", CLUSTER)
    lines = {stack: shared.line("mpi-operator: {}", stack) for stack in (ADDONS, CLUSTER)}
    for stack, other in ((ADDONS, CLUSTER), (CLUSTER, ADDONS)):
        ((file, line, where, got, _),) = shared.told(stack)
        assert (file, line, where) == (f"Pulumi.{stack}.yaml", lines[stack], "addons.mpi-operator")
        assert f"stack {other} (stacks/Pulumi.{other}.yaml:{lines[other]}:" in got


def test_several_stacks_with_add_ons_see_each_other(shared: Shared) -> None:
    """All that the cluster's stack names are judged as one cluster; two owners among them are refused."""
    more = f"organization/muster/{ADDONS}-more"
    shared.edit(f"[organization/muster/{ADDONS}]", f"[organization/muster/{ADDONS}, {more}]", CLUSTER)
    shared.copy(ADDONS, f"{ADDONS}-more", ("      nvidia-device-plugin: {}\n      efa-device-plugin: {}\n", ""))
    assert [(each[0], each[2]) for each in shared.told()] == [(f"Pulumi.{ADDONS}.yaml", "addons.mpi-operator")]
    shared.edit("      mpi-operator: {}\n", "")
    for stack in (ADDONS, CLUSTER, f"{ADDONS}-more"):
        assert shared.told(stack) == []
        assert len(shared.open(stack).derive().described.addons.chosen) == 3
    assert shared.open().derive().elsewhere == {"mpi-operator": f"{ADDONS}-more"}


WRONG = [
    (ADDONS, (FULL, f"organization/muster/{ADDONS}"), "addons-of", f"organization/muster/{ADDONS}"),
    (ADDONS, ("aws:region: us-west-2", "aws:region: us-east-1"), "aws:region", "us-west-2"),
    (CLUSTER, (f"[organization/muster/{ADDONS}]", f"[{FULL}]"), "addons-in[0]", FULL),
]


@pytest.mark.parametrize(("stack", "edit", "where", "named"), WRONG)
def test_what_does_not_fit(shared: Shared, stack: str, edit: tuple[str, str], where: str, named: str) -> None:
    """At the key that is wrong: a stack that is named is this stack itself, or is in another Region."""
    shared.edit(*edit, stack)
    ((_, line, place, got, _),) = shared.told(stack)
    assert (line, place) == (shared.line(edit[1], stack), where)
    assert named in got


def test_add_ons_for_add_ons(shared: Shared) -> None:
    """A stack without a cluster is no cluster's; its own cluster is offered."""
    shared.copy(ADDONS, "more", (FULL, f"organization/muster/{ADDONS}"))
    ((_, _, where, _, remedy),) = shared.told("more")
    assert (where, remedy) == ("addons-of", f"write addons-of: {FULL}")


def test_a_cluster_that_names_what_is_not_its_own(shared: Shared) -> None:
    """A cluster of its own, and add-ons of another one."""
    shared.copy(CLUSTER, "other", (f"[organization/muster/{ADDONS}]", f"[{FULL}, organization/muster/{ADDONS}]"))
    assert [each[2] for each in shared.told("other")] == ["addons-in[0]", "addons-in[1]"]


def test_faults_of_the_other_file_are_told_in_it(shared: Shared) -> None:
    """What cannot be read cannot be judged together."""
    shared.edit("nodes: 1\n", "nodes: none\n", CLUSTER)
    (fault,) = shared.told()
    assert fault[:3] == (f"Pulumi.{CLUSTER}.yaml", shared.line("nodes: none", CLUSTER), "groups.workers.nodes")


@pytest.mark.parametrize("name", ["organization/muster/p5-shard", "organization/other/p5-shared"])
def test_a_cluster_that_is_not_at_hand(shared: Shared, name: str) -> None:
    """Is no fault: it may be described elsewhere. Nothing is known of it, and how to tell is said."""
    shared.edit(FULL, name)
    opened = shared.open()
    assert (opened.faults, opened.knows_cluster) == ((), False)
    (why,) = opened.missing
    assert why in opened.unknown_cluster
    assert f"pulumi stack output --json --stack {name}" in opened.unknown_cluster
    with pytest.raises(ValueError, match="is not known"):
        opened.derive()


def test_another_organizations_stack_is_not_the_one_at_hand(shared: Shared) -> None:
    """In the engine the organization is known: a file here says nothing of another one's stack of the same name."""
    file = Path("stacks") / f"Pulumi.{ADDONS}.yaml"
    opened = load_values(ADDONS, SAID, "us-west-2", file, Path("stacks/facts/x.json"), "team")
    assert not opened.knows_cluster
    assert load_values(ADDONS, SAID, "us-west-2", file, Path("x.json"), "organization").knows_cluster


def save(shared: Shared, outputs: dict[str, Any]) -> None:
    (shared.folder / "stacks" / "facts" / f"{ADDONS}.json").write_text(json.dumps({"outputs": outputs}))
    shared.file(CLUSTER).unlink()


def test_what_the_clusters_own_add_ons_are_set_to_is_not_in_its_outputs(shared: Shared) -> None:
    """It is in the description, where that is at hand; of the add-ons of this stack it is known in any case."""
    shared.edit("addons-in:", "addons: {kuberay-operator: {}}\n    addons-in:", CLUSTER)
    described = shared.open().derive()
    outputs = outputs_of(CLUSTER)
    version = next(each.version for each in observed_addons(described) if each.ref.name == "kuberay-operator")
    outputs["addons"] = {**outputs["addons"], "kuberay-operator": {"version": version, "namespace": "kuberay"}}
    save(shared, outputs)
    known = shared.open().derive()
    assert known.on_kubernetes
    assert {name for name in known.described.addons.chosen if name in known.elsewhere} == {"kuberay-operator"}
    assert [each.ref.name for each in observed_addons(known) if each.values is UNKNOWN] == ["kuberay-operator"]
    assert [each.ref.name for each in observed_addons(described) if each.values is UNKNOWN] == []


def test_saved_outputs_that_do_not_fit(shared: Shared) -> None:
    """Another Region, hardware of a newer Muster, and an add-on that the cluster's stack installs."""
    outputs = outputs_of("p5-odcr")
    outputs["region"] = "us-east-1"
    outputs["nodeGroups"]["workers"]["instanceType"] = "p9.48xlarge"
    save(shared, outputs)
    told = {where: got for _, _, where, got, _ in shared.told()}
    assert list(told) == [
        "aws:region",
        "addons-of",
        "addons.nvidia-device-plugin",
        "addons.efa-device-plugin",
        "addons.mpi-operator",
    ]
    assert "p9.48xlarge" in told["addons-of"]
