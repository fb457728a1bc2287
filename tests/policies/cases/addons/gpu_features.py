"""What NVIDIA's plugin brings and shares: feature discovery, GPUs that are offered more than once."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.addons import PLUGINS, a_chart, with_addons
from tests.policies.case import cases


def with_values(edits: dict[str, Any] | None = None, **values: Any) -> Fleet:
    """NVIDIA's plugin with values of the user's own."""
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"values": values}}, **(edits or {}))


ON: dict[str, Any] = {"enabled": True}
TOLERANT: dict[str, Any] = {"tolerations": [{"operator": "Exists"}]}

# feature-discovery-reaches-nodes


cases(
    discovery_without_nfd=lambda: with_values(gfd=ON),
    discovery_kept_off_by_the_taint=lambda: with_values(gfd=ON, nfd=ON),
    nfd_kept_off_by_the_taint=lambda: with_values(nfd={**ON, "worker": {"tolerations": []}}),
    discovery_that_tolerates_the_taint=lambda: with_values(gfd=ON, nfd={**ON, "worker": TOLERANT}),
    discovery_beside_an_nfd_of_its_own=lambda: with_addons(
        {
            **PLUGINS,
            "nvidia-device-plugin": {"values": {"gfd": ON}},
            "charts": {"nfd": a_chart("node-feature-discovery", "0.19.0")},
        }
    ),
)


def sharing(how: str, *, replicas: int = 4, edits: dict[str, Any] | None = None, **more: Any) -> Fleet:
    """NVIDIA's plugin with a configuration that shares GPUs."""
    lines = [f"    {key}: {str(value).lower()}" for key, value in more.items()]
    resources = ["    resources:", "    - name: nvidia.com/gpu", f"      replicas: {replicas}"]
    text = "\n".join(["version: v1", "sharing:", f"  {how}:", *lines, *resources])
    return with_values(edits, config={"map": {"default": text, "whole": "version: v1"}})


# shared-gpus-serve-jobs, training-gpus-not-shared


cases(
    gpus_by_time=lambda: sharing("timeSlicing"),
    gpus_by_time_once=lambda: sharing("timeSlicing", replicas=1),
    gpus_by_time_under_another_name=lambda: sharing("timeSlicing", renameByDefault=True),
    gpus_by_time_one_to_a_pod=lambda: sharing("timeSlicing", failRequestsGreaterThanOne=True),
    gpus_by_mps=lambda: sharing("mps"),
    gpus_by_mps_several_to_a_pod=lambda: sharing("mps", failRequestsGreaterThanOne=False),
    gpus_by_time_for_inference=lambda: sharing("timeSlicing", edits={"groups.workers.for": "inference"}),
    gpus_by_time_on_nodes_with_another_configuration=lambda: sharing(
        "timeSlicing", edits={"groups.workers.labels": {"nvidia.com/device-plugin.config": "whole"}}
    ),
    a_configuration_that_is_no_yaml=lambda: with_values(config={"map": {"default": "{"}}),
)

# device-plugin-configuration-valid


def configured(**config: Any) -> Fleet:
    """NVIDIA's plugin with these configurations."""
    return with_values(config=config)


WHOLE = "version: v1"
REPLICAS = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: '4'}]}}"
cases(
    a_default_configuration_that_exists=lambda: configured(default="a", map={"a": WHOLE, "b": WHOLE}),
    a_default_configuration_that_is_missing=lambda: configured(default="c", map={"a": WHOLE, "b": WHOLE}),
    a_label_that_chooses_no_configuration=lambda: with_values(
        {"groups.workers.labels": {"nvidia.com/device-plugin.config": "c"}}, config={"map": {"a": WHOLE, "b": WHOLE}}
    ),
    a_configuration_of_version_2=lambda: configured(map={"a": "version: v2"}),
    a_configuration_with_a_text_of_replicas=lambda: configured(map={"a": REPLICAS}),
    a_configuration_with_one_replica=lambda: configured(map={"a": REPLICAS.replace("'4'", "1")}),
    a_configuration_that_is_a_map=lambda: configured(map={"a": {"version": "v1"}}),
    a_configuration_with_a_way_to_list_devices_that_does_not_exist=lambda: configured(
        map={"a": f"{WHOLE}\nflags: {{plugin: {{deviceListStrategy: [envvar, cdi], deviceIDStrategy: serial}}}}"}
    ),
    a_configuration_in_another_config_map=lambda: configured(name="gpu-sharing"),
    a_mig_strategy_that_is_misspelt=lambda: with_values(migStrategy="mixd"),
    a_way_to_list_devices_that_does_not_exist=lambda: with_values(deviceListStrategy="env-vars"),
    two_ways_to_list_devices=lambda: with_values(deviceListStrategy="envvar,cdi-cri", deviceIDStrategy="index"),
    a_mig_strategy=lambda: with_values(migStrategy="mixed"),
)

# feature-discovery-reaches-nodes, of NFD's own chart

cases(
    nfd_of_its_own_chart=lambda: with_addons(
        {**PLUGINS, "charts": {"nfd": a_chart("node-feature-discovery", "0.19.0")}}
    ),
    nfd_of_its_own_chart_that_tolerates=lambda: with_addons(
        {**PLUGINS, "charts": {"nfd": a_chart("node-feature-discovery", "0.19.0", worker=TOLERANT)}}
    ),
)
