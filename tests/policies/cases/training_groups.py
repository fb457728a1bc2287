"""Groups for training on types without accelerators and without EFA."""

from typing import Any

from muster.config.description.node_group import Purpose
from muster.fleet.resources import Fleet
from tests.factories import DROP, described
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases
from tests.slurms import a_resource, a_slurm_fleet

NO_PLUGINS = {"addons.nvidia-device-plugin": DROP, "addons.efa-device-plugin": DROP}
ONE_PLUGIN = {"addons.efa-device-plugin": DROP}
FOR_EFA = {"addons.nvidia-device-plugin": DROP}


def _on(instance: str, **edits: Any) -> Fleet:
    workers = {"for": "training", "instance": instance, "nodes": 1, "zone": "us-west-2a"}
    return described({"groups.workers": workers, **edits})


cases(
    training_on_cpus_beside_two_plugins=lambda: _on("m5.8xlarge"),
    training_on_cpus_beside_one_plugin=lambda: _on("m5.8xlarge", **ONE_PLUGIN),
    training_on_cpus_without_plugins=lambda: _on("m5.8xlarge", **NO_PLUGINS),
    training_on_cpus_with_efa=lambda: _on("c5n.18xlarge", **FOR_EFA),
    training_on_gpus_and_on_cpus=lambda: described(
        {"groups.more": {"for": "training", "instance": "m5.8xlarge", "nodes": 1, "zone": "us-west-2a"}}
    ),
    training_on_a_size_without_efa_beside_its_plugin=lambda: _on("g5.4xlarge"),
    training_on_a_family_without_efa_beside_its_plugin=lambda: _on("g5g.8xlarge", **FOR_EFA),
)

cases(
    "training-group-has-accelerators",
    training_on_hyperpods_cpus=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.m5.8xlarge", purpose=Purpose.TRAINING)
    ),
    training_on_hyperpods_gpus=lambda: a_hyperpod_fleet(an_instance_group(purpose=Purpose.TRAINING)),
    training_on_slurms_cpus=lambda: a_slurm_fleet(a_resource(instances=("m5.8xlarge",), purpose=Purpose.TRAINING)),
    training_on_slurms_gpus=lambda: a_slurm_fleet(a_resource(purpose=Purpose.TRAINING)),
    training_on_a_type_that_nobody_knows=lambda: a_slurm_fleet(
        a_resource(instances=("x9.huge",), purpose=Purpose.TRAINING)
    ),
)
