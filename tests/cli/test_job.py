"""`muster job`: a manifest on stdout, or words on stderr and nothing on stdout."""

import yaml

from .conftest import Muster

JOB = ("job", "nccl-tests", "--stack", "p5-odcr")


def test_stdout_is_the_manifest_under_a_comment(muster: Muster) -> None:
    ran = muster.judged(*JOB)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[:3] == [
        "# nccl-tests for stack p5-odcr, printed by `muster job`.",
        "# Every number follows from what a node of the group offers: change the stack's description, not this.",
        "apiVersion: kubeflow.org/v2beta1",
    ]
    manifest = yaml.safe_load(ran.out)
    assert manifest["spec"]["mpiReplicaSpecs"]["Worker"]["replicas"] == 1
    assert muster.judged(*JOB).out == ran.out


def test_it_follows_the_description(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: {min: 0, start: 2, max: 4}\n")
    muster.edit("            count: 1\n", "            count: 4\n")
    assert "replicas: 2" in muster.judged(*JOB).out, "as many as the group starts with"
    assert "replicas: 3" in muster.judged(*JOB, "--nodes", "3").out
    refused = muster.judged(*JOB, "--nodes", "5")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        "error: nccl-tests does not fit p5-odcr: --nodes 5 is more than group 'workers' may have (4); give at most 4, "
        "or raise groups.workers.nodes\n"
    )


BLOCK = (
    "          capacity-block: {id: cr-fill-me-in, zone: us-west-2a, count: 1, active: false, "
    'starts: "2026-12-01", ends: "2026-12-15"}\n'
)


def test_a_group_without_nodes_until_its_block_is_active(muster: Muster) -> None:
    text = muster.file().read_text()
    head, _, rest = text.partition("          reservation:\n")
    muster.file().write_text(head + BLOCK + rest[rest.index("        local-storage") :])
    ran = muster.judged(*JOB)
    assert ran.code == 0, ran.err
    assert ran.err == "note: group workers has no nodes until its Capacity Block is active\n"
    assert yaml.safe_load(ran.out)["kind"] == "MPIJob"
    assert muster.judged("plan", "p5-odcr", "--json").json["nodes"][1]["count"] == {"min": 0, "start": 0, "max": 1}
    assert "0 to 1, 0 at first" in muster.judged("plan", "p5-odcr").out


def test_a_group_that_starts_with_none(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: {min: 0, start: 0, max: 1, scaled-by: you}\n")
    assert muster.judged(*JOB).err == "note: group workers has no nodes at first: the job waits until it is scaled\n"


def test_a_cluster_without_the_operator_is_told_to_add_it(muster: Muster) -> None:
    muster.edit("      mpi-operator: {}\n", "")
    ran = muster.judged(*JOB)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "error: nccl-tests does not fit p5-odcr: the job needs the add-on 'mpi-operator'; add `mpi-operator: {}` below "
        "addons:\n"
    )


def test_only_what_stops_is_said_of_a_refused_cluster(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: 2\n")
    ran = muster("job", "nccl-tests", "--stack", "p5-odcr", "--as-of", "2027-04-01")
    assert (ran.code, ran.out) == (1, "")
    assert "mandatory reservation-covers-nodes" in ran.err
    assert "advisory kubernetes-standard-support" not in ran.err
    assert ran.err.splitlines()[-1].startswith("p5-odcr: 2 findings (1 mandatory, 1 advisory), ")


def test_without_a_name_the_jobs_are_listed_on_stderr(muster: Muster) -> None:
    ran = muster("job", "--stack", "p5-odcr")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        "error: name a job; there are:",
        "  nccl-tests: NCCL's all-reduce over every GPU and EFA interface of a training group",
        "  efa-check: counts the EFA devices and GPUs of every node of a training group; needs no operator",
    ]
