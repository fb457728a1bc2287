"""The FSDP job in the HyperPod CLI's two forms."""

from typing import Any

import pytest

from muster.blueprint.kubernetes import Blueprint
from muster.jobs import hyperpod_cli, pytorch_fsdp
from muster.jobs.catalogue import JobOptions
from muster.size import Size
from tests.jobs.clusters import a_group, a_hyperpod_cluster, a_system_group

KEYS = {
    *("template", "version", "job_name", "namespace", "image", "pull_policy", "command", "args", "environment"),
    *("instance_type", "replica_count", "tasks_per_node", "label_selector", "queue_name", "accelerators"),
    *("accelerators_limit", "memory", "memory_limit", "efa", "efa_limit", "max_retry", "volume"),
}
"""Of what we write; hyperpod-pytorch-job-template v1_1 (`model.py` at 011ca92) refuses keys that it does not know."""


def a_cluster(**options: Any) -> Blueprint:
    return a_hyperpod_cluster(**{"hyperpod_training_operator": {}, **options})


def test_todays_form_on_two_p5() -> None:
    """Sizes, script, environment and claim are the manifest's; started by HyperPod's own agent."""
    made = hyperpod_cli.config(a_cluster(), JobOptions())
    (worker,) = pytorch_fsdp.build(a_cluster(), JobOptions())["spec"]["pytorchReplicaSpecs"]["Worker"]["template"][
        "spec"
    ]["containers"]
    assert set(made) <= KEYS
    assert (made["template"], made["version"], made["job_name"]) == ("hyp-pytorch-job", 1.1, "pytorch-fsdp")
    assert (made["instance_type"], made["replica_count"], made["tasks_per_node"]) == ("ml.p5.48xlarge", 2, "8")
    assert (made["accelerators"], made["accelerators_limit"]) == (8, 8)
    assert (made["efa"], made["efa_limit"]) == (32, 32)
    assert made["memory"] == made["memory_limit"]
    assert made["command"] == ["hyperpodrun"]
    assert made["args"][:2] == ["--nnodes=2", "--nproc_per_node=8"]
    assert made["args"][2:] == worker["command"][1:]
    assert made["environment"] == {each["name"]: each["value"] for each in worker["env"] if "value" in each}
    assert made["max_retry"] == 2
    assert made["label_selector"] == {
        "muster/group": "workers",
        "sagemaker.amazonaws.com/node-health-status": "Schedulable",
    }
    assert made["volume"][-1] == {
        "name": "data",
        "type": "pvc",
        "mount_path": "/data",
        "claim_name": "scratch",
        "read_only": False,
    }


def test_the_blogs_form_on_two_p5() -> None:
    """Auto-resume by its annotations, twice; the restart policy that it needs; healthy nodes alone."""
    made = hyperpod_cli.config_2(a_cluster(), JobOptions())
    assert made["training_cfg"]["run"] == {"name": "pytorch-fsdp", "nodes": 2, "ntasks_per_node": 8}
    assert made["training_cfg"]["entry_script"] == "/fsdp/train.py"
    assert {"--num_layers": "32"} in made["training_cfg"]["script_args"]
    assert made["cluster"]["instance_type"] == "ml.p5.48xlarge"
    config = made["cluster"]["cluster_config"]
    assert config["annotations"] == {
        "sagemaker.amazonaws.com/enable-job-auto-resume": True,
        "sagemaker.amazonaws.com/job-max-retry-count": 2,
    }
    assert config["restartPolicy"] == "OnFailure"
    assert config["label_selector"] == {
        "required": {"muster/group": ["workers"], "sagemaker.amazonaws.com/node-health-status": ["Schedulable"]}
    }
    assert config["persistent_volume_claims"] == [{"claimName": "scratch", "mountPath": "/data"}]
    assert config["namespace"] == "default", "where its claim is"


@pytest.mark.parametrize("group", ["first", "second"])
def test_of_two_groups_of_one_type_the_job_goes_to_the_chosen_one(group: str) -> None:
    """By the group's label: the type, which both forms ask for, is the same."""
    groups = {"system": a_system_group(), "first": a_group(), "second": a_group()}
    blueprint, ask = a_hyperpod_cluster(groups, hyperpod_training_operator={}), JobOptions(group=group)
    assert hyperpod_cli.config(blueprint, ask)["label_selector"]["muster/group"] == group
    config = hyperpod_cli.config_2(blueprint, ask)["cluster"]["cluster_config"]
    assert config["label_selector"]["required"]["muster/group"] == [group]


def test_the_blogs_namespace_is_for_a_job_that_nothing_binds() -> None:
    """A pod mounts claims of its own namespace, and a queue takes jobs of its own."""
    governed = a_cluster(hyperpod_task_governance={}, storage={})
    namespaces = [
        hyperpod_cli.config_2(cluster, ask)["cluster"]["cluster_config"]["namespace"]
        for cluster, ask in (
            (a_cluster(storage={}), JobOptions()),
            (a_cluster(), JobOptions()),
            (governed, JobOptions(queue="team")),
        )
    ]
    assert namespaces == ["kubeflow", "default", "default"]


def test_the_queue_is_named() -> None:
    """Today's by its name, the blog's by Kueue's label and scheduler."""
    governed, ask = a_cluster(hyperpod_task_governance={}), JobOptions(queue="team")
    assert hyperpod_cli.config(governed, ask)["queue_name"] == "team"
    config = hyperpod_cli.config_2(governed, ask)["cluster"]["cluster_config"]
    assert (config["custom_labels"], config["scheduler_type"]) == ({"kueue.x-k8s.io/queue-name": "team"}, "Kueue")
    queued = a_cluster(kueue={"queues": {"main": {}}})
    assert hyperpod_cli.config(queued, JobOptions())["queue_name"] == "main"
    assert hyperpod_cli.config_2(a_cluster(), JobOptions())["cluster"]["cluster_config"]["scheduler_type"] == "None"


def test_a_claim_of_another_namespace_takes_the_job_along() -> None:
    """A pod mounts claims of its own namespace."""
    there = a_cluster(fsx_csi_driver={"namespace": "ml"})
    assert hyperpod_cli.config(there, JobOptions())["namespace"] == "ml"
    assert hyperpod_cli.config_2(there, JobOptions())["cluster"]["cluster_config"]["namespace"] == "ml"
    assert "namespace" not in hyperpod_cli.config(a_cluster(), JobOptions())


def test_what_stands_there_is_what_was_asked() -> None:
    """The image, a part of the GPUs, memory in GiB."""
    made = hyperpod_cli.config(a_cluster(), JobOptions(devices=4, memory=Size(64 * 1024), image="registry.example/a:1"))
    assert (made["accelerators"], made["efa"], made["memory"], made["image"]) == (4, 16, 64.0, "registry.example/a:1")
