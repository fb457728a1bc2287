"""The commands on add-ons of another stack's cluster, with its file at hand, with its outputs, and with neither."""

import json

import pytest

from tests.cli.conftest import Muster
from tests.shared_stacks import ADDONS, CLUSTER, FULL, Shared, outputs_of

WHY = (
    f"the cluster: there is no stacks/Pulumi.{CLUSTER}.yaml, and stacks/facts/{ADDONS}.json has no outputs "
    f"(write what `pulumi stack output --json --stack {FULL}` prints there, below outputs)"
)


@pytest.fixture
def shared(muster: Muster) -> Shared:
    """Both stacks of the example, beside p5-odcr."""
    return Shared.in_folder(muster.folder)


@pytest.fixture
def alone(shared: Shared) -> Shared:
    """Only the add-ons' stack."""
    shared.file(CLUSTER).unlink()
    return shared


@pytest.fixture
def known(shared: Shared) -> Shared:
    """The add-ons' stack, and the outputs of the cluster's."""
    text = json.dumps({"outputs": outputs_of(CLUSTER)})
    shared.file(CLUSTER).unlink()
    (shared.folder / "stacks" / "facts" / f"{ADDONS}.json").write_text(text)
    return shared


def test_check_judges_the_cluster_with_its_add_ons(muster: Muster, shared: Shared) -> None:
    """Both stacks alike: what one of them lacks is found in the file that lacks it."""
    assert [muster.judged("check", stack).code for stack in (ADDONS, CLUSTER)] == [0, 0]
    shared.edit("      efa-device-plugin: {}\n", "")
    line = shared.line("instance: p5.48xlarge", CLUSTER)
    said = f"stacks/Pulumi.{CLUSTER}.yaml:{line}:19: mandatory group-has-its-device-plugin: the nodes have vpc.amazona"
    for stack in (ADDONS, CLUSTER):
        ran = muster.judged("check", stack)
        assert ran.code == 1
        assert said in ran.out


def test_a_finding_about_an_add_on_is_in_the_add_ons_file(muster: Muster, shared: Shared) -> None:
    """Also where the cluster's stack is asked."""
    shared.edit("nvidia-device-plugin: {}", "nvidia-device-plugin: {}\n      neuron-device-plugin: {}")
    said = f"stacks/Pulumi.{ADDONS}.yaml:{shared.line('neuron')}:29: mandatory addon-serves-a-group"
    for stack in (ADDONS, CLUSTER):
        assert said in muster.judged("check", stack).out


def test_a_suppression_counts_in_both(muster: Muster, shared: Shared) -> None:
    """It is told once where it is wrong: in the stack that has it."""
    given = '{rule: addon-serves-a-group, at: addons.neuron-device-plugin, reason: only a test, until: "2026-12-01"}'
    shared.edit("mpi-operator: {}\n", f"neuron-device-plugin: {{}}\n    suppress: [{given}]\n")
    for stack in (ADDONS, CLUSTER):
        ran = muster.judged("check", stack, "-v")
        assert (ran.code, ran.out.count("suppressed until 2026-12-01: addon-serves-a-group")) == (0, 1)
    shared.edit("2026-12-01", "2026-11-01")
    assert "mandatory suppression: the suppression ended on 2026-11-01" in muster.judged("check", ADDONS).out
    assert "mandatory suppression" not in muster.judged("check", CLUSTER).out
    assert muster.judged("check", CLUSTER).code == 1


def test_nothing_known_is_not_evaluated_and_never_a_pass(muster: Muster, alone: Shared) -> None:
    """Each rule about an add-on says what is missing; --strict stops; nothing is made up for the other commands."""
    ran = muster.judged("check", ADDONS, "--json")
    assert ran.code == 0
    (stack,) = ran.json["stacks"]
    assert stack["findings"] == []
    assert {each["missing"] for each in stack["notEvaluated"]} == {WHY}
    asked = {(each["rule"], each["resource"]) for each in stack["notEvaluated"]}
    names = ("nvidia-device-plugin", "efa-device-plugin", "mpi-operator")
    assert {("addon-serves-a-group", f"addons.{name}") for name in names} <= asked
    assert muster.judged("check", ADDONS, "--strict").code == 4
    said = f"error: {ADDONS} has only add-ons, and Muster does not know their cluster: {WHY}\n"
    for command in (
        ("plan", ADDONS),
        ("plan", ADDONS, "--json"),
        ("job", "nccl-tests", "--stack", ADDONS),
        ("rehearse", ADDONS),
        ("verify", ADDONS),
    ):
        ran = muster.judged(*command)
        assert (ran.code, ran.out, ran.err) == (2, "", said), command
    for command in (("addons", ADDONS), ("mirror", ADDONS)):
        ran = muster(*command)
        assert (ran.code, ran.out, ran.err) == (2, "", said), command


def test_a_cluster_whose_add_ons_are_elsewhere(muster: Muster, shared: Shared) -> None:
    """Whether its devices are offered is not known: neither a finding nor a pass."""
    shared.file().unlink()
    ran = muster.judged("check", CLUSTER, "-v")
    assert ran.code == 0
    assert f"whether another stack offers nvidia.com/gpu: there is no stacks/Pulumi.{ADDONS}.yaml" in ran.out
    assert muster.judged("check", CLUSTER, "--strict").code == 4
    shared.edit(f"    addons-in: [organization/muster/{ADDONS}]", "    addons-in: []", CLUSTER)
    assert muster.judged("check", CLUSTER).code == 1


def test_outputs_are_judged_by_what_they_say(muster: Muster, known: Shared) -> None:
    """The rules about add-ons; that further stacks may install more stays unknown."""
    assert muster.judged("check", ADDONS, "--strict").code == 0
    known.edit("      efa-device-plugin: {}\n", "")
    ran = muster.judged("check", ADDONS, "-v")
    assert ran.code == 0
    assert "whether another stack offers vpc.amazonaws.com/efa: the outputs of the cluster do not list" in ran.out
    known.edit("nvidia-device-plugin: {}", "neuron-device-plugin: {}")
    assert muster.judged("check", ADDONS).code == 1


def test_the_plan_shows_what_is_installed_and_what_stays(muster: Muster, shared: Shared) -> None:
    """And nothing of the cluster but its nodes."""
    ran = muster.judged("plan", ADDONS)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{ADDONS} (add-ons of {FULL})\n")
    assert "aws:" not in ran.out.partition("What changing it later costs")[0]
    told = " ".join(ran.out.split())
    assert (
        " mpi-operator if you remove it, it stays on the cluster, because uninstalling it deletes every MPIJob " in told
    )
    plan = muster.judged("plan", ADDONS, "--json").json
    assert plan["removals"] == [{"addon": "mpi-operator", "kept": True, "loses": "every MPIJob", "objects": []}]
    assert [each["group"] for each in plan["nodes"]] == ["system", "workers"]
    assert muster.judged("plan", CLUSTER, "--json").json["removals"] == []


@pytest.mark.parametrize("command", [("job", "nccl-tests", "--stack"), ("addons",), ("mirror",)])
def test_the_same_is_said_with_the_file_and_with_the_outputs(
    muster: Muster, shared: Shared, command: tuple[str, ...]
) -> None:
    """Jobs, add-ons and mirrors follow from the nodes, wherever those are known from."""
    described = muster(*command, ADDONS)
    text = json.dumps({"outputs": outputs_of(CLUSTER)})
    shared.file(CLUSTER).unlink()
    (shared.folder / "stacks" / "facts" / f"{ADDONS}.json").write_text(text)
    known = muster(*command, ADDONS)
    assert (known.code, known.out) == (described.code, described.out)
    assert described.code == 0
