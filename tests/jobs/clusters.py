"""Blueprints to size jobs for: a description with one system and one training group, changed where a test says so."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from muster.blueprint.cluster import Blueprint
from muster.config.description.addons import Addons, Options
from muster.hardware.catalogue import hardware
from muster.jobs import kubernetes_jobs
from muster.jobs.group_selection import NO_OPTIONS, JobOptions
from muster.jobs.job import Job
from tests import factories
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.hardware_types import CLUSTER_TYPES

ADDONS = ("nvidia-device-plugin", "efa-device-plugin", "mpi-operator")


def a_group(**said: Any) -> dict[str, Any]:
    """Workers: two p5.48xlarge, but for what is said."""
    return {"for": "training", "instance": "p5.48xlarge", "nodes": 2, **said}


def a_system_group(**said: Any) -> dict[str, Any]:
    """A group for launchers, but for what is said."""
    return {"for": "system", "instance": "c5.2xlarge", "nodes": 1, **said}


def a_blueprint(
    groups: dict[str, dict[str, Any]] | None = None, addons: tuple[str, ...] = ADDONS, stack: str = "tested"
) -> Blueprint:
    """A cluster of these groups."""
    sized = groups if groups is not None else {"system": a_system_group(), "workers": a_group()}
    return factories.a_blueprint({"groups": sized, "addons": {name: {} for name in addons}}, stack)


@dataclass
class _Chosen:
    """Add-ons as a blueprint's description has them."""

    chosen: dict[str, Any]
    charts: dict[str, Any] = field(default_factory=dict)


def with_options(blueprint: Blueprint, **said: Any) -> Blueprint:
    """A cluster with more add-ons, by name (`_` for `-`), and what was said of each: ``volcano={"queues": {...}}``."""
    more = {name: _options(name, options) for name, options in ((key.replace("_", "-"), said[key]) for key in said)}
    addons = _Chosen({**blueprint.described.addons.chosen, **more})
    return replace(blueprint, described=blueprint.described.model_copy(update={"addons": addons}))


def _options(name: str, said: Mapping[str, Any]) -> Options:
    """As the description has them."""
    return Addons.model_validate({name: said}).chosen[name]


SCRATCH: Mapping[str, Any] = {"scratch": {"lustre": {"size": "4800GiB", "throughput": 250}}}


def a_stored_cluster(
    groups: dict[str, dict[str, Any]] | None = None, storage: Mapping[str, Any] = SCRATCH, **options: Any
) -> Blueprint:
    """A cluster with every plugin and operator, a file system and a registry; `options` as `with_options` has them."""
    sized = groups if groups is not None else {"system": a_system_group(), "workers": a_group()}
    plugins: dict[str, Any] = {name: {} for name in (*ADDONS, "neuron-device-plugin")}
    made = factories.a_blueprint({"groups": sized, "addons": plugins, "storage": storage, "registry": {}}, "tested")
    every: dict[str, Any] = {"training_operator": {}, "volcano": {}, "fsx_csi_driver": {}}
    return with_options(made, **{**every, **options})


def a_hyperpod_cluster(
    groups: dict[str, dict[str, Any]] | None = None, storage: Mapping[str, Any] = SCRATCH, **options: Any
) -> Blueprint:
    """The same on HyperPod, with its chart."""
    default = {"system": a_system_group(instance="m5.2xlarge", nodes=3), "workers": a_group()}
    made = a_hyperpod_blueprint(
        {
            "groups": default if groups is None else groups,
            "addons": {name: {} for name in (*ADDONS, "neuron-device-plugin")},
            "storage": storage,
            "registry": {},
        }
    )
    chart: dict[str, Any] = {"repository": "oci://registry.example.com/charts"}
    every: dict[str, Any] = {"hyperpod": chart, "training_operator": {}, "volcano": {}, "fsx_csi_driver": {}}
    return with_options(made, **{**every, **options})


def without(blueprint: Blueprint, *names: str) -> Blueprint:
    """The same cluster without some add-ons."""
    chosen = {name: options for name, options in blueprint.described.addons.chosen.items() if name not in names}
    return replace(blueprint, described=blueprint.described.model_copy(update={"addons": _Chosen(chosen)}))


WITH_EFA = tuple(
    name
    for name in CLUSTER_TYPES
    if (row := hardware(name)).max_efa and row.architecture == "x86_64" and row.max_pods is not None
)
"""Every catalogued type that can be checked for EFA."""


def a_cluster_for(job: str) -> Blueprint:
    """A cluster that can run a job."""
    if job == "nvbandwidth":
        held = {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 18}
        block = {**held, "starts": "2026-12-01", "ends": "2026-12-15", "active": True}
        workers = a_group(instance="p6e-gb200.36xlarge", nodes=18, capacity={"capacity-block": block})
        groups = {"system": a_system_group(), "workers": {**workers, "zone": "us-west-2a"}}
        labels = {"values": {"gfd": {"enabled": True}, "nfd": {"enabled": True}}}
        driver = {"values": {"resources": {"gpus": {"enabled": False}}}}
        return a_stored_cluster(groups, nvidia_device_plugin=labels, nvidia_dra_driver=driver)
    instance = "trn1.32xlarge" if "trn1" in job else "p5.48xlarge"
    return a_stored_cluster({"system": a_system_group(), "workers": a_group(instance=instance)})


def manifest_of(job: Job, blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """A job's manifest."""
    return kubernetes_jobs.make(job, blueprint, ask).documents[0]
