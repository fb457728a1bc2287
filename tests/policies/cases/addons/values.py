"""Values of add-ons that no chart takes or reads, and images that are not their chart's."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, described
from tests.policies.addons import ON_DEMAND, PLUGINS, a_chart, an_addon, beside_plugins, with_addons
from tests.policies.case import cases

# addon-values-have-a-form


cases(
    a_plugin_with_an_amount_that_is_none=lambda: described(
        {"addons.efa-device-plugin": {"values": {"resources": {"requests": {"cpu": "lots"}}}}}
    ),
    a_toleration_with_a_value_too_many=lambda: of_plugin(
        {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "value": "true"}]}
    ),
    a_request_above_its_limit=lambda: of_plugin({"resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "500m"}}}),
    a_request_as_large_as_its_limit=lambda: of_plugin(
        {"resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1000m", "memory": "1Gi"}}}
    ),
    a_request_below_zero=lambda: of_plugin({"resources": {"requests": {"cpu": "-100m"}}}),
    an_operator_with_a_word_of_replicas=lambda: of_operator(replicas="two"),
    an_operator_with_half_a_replica=lambda: of_operator(replicas=1.5),
    an_operator_with_digits_of_replicas=lambda: of_operator(replicas="2"),
    an_image_that_is_sometimes_pulled=lambda: of_plugin({"image": {"pullPolicy": "Sometimes"}}),
    an_image_that_is_never_pulled=lambda: of_plugin({"image": {"pullPolicy": "Never"}}),
    annotations_that_are_numbers=lambda: of_plugin({"podAnnotations": {"prometheus.io/port": 9400, "a": "b"}}),
    a_node_selector_that_is_true=lambda: of_operator(nodeSelector={"gpu": True}),
    a_secret_that_is_no_list=lambda: of_plugin({"imagePullSecrets": "regcred"}),
    a_secret_in_a_list=lambda: of_plugin({"imagePullSecrets": [{"name": "regcred"}]}),
    a_plugin_with_tolerations_that_are_none=lambda: described(
        {"addons.efa-device-plugin": {"values": {"tolerations": 5}}}
    ),
)


def of_plugin(values: dict[str, Any], **more: Any) -> Fleet:
    """NVIDIA's plugin with values of the user's own."""
    return with_addons({**PLUGINS, "nvidia-device-plugin": {"values": values, **more}})


def of_operator(**values: Any) -> Fleet:
    """KubeRay's operator with values of the user's own."""
    return with_addons({**PLUGINS, "kuberay-operator": {"values": values}})


# addon-values-known, addon-values-known-nearby


cases(
    a_misspelt_value=lambda: of_plugin({"tolerationss": []}),
    a_misspelt_value_below_a_known_one=lambda: of_plugin({"cdi": {"nvidiaHookPat": "/usr/bin/nvidia-ctk"}}),
    a_value_at_another_place=lambda: of_plugin({"fallbackStrategies": ["single"]}),
    a_misspelt_value_of_a_chart_inside=lambda: of_plugin({"nfd": {"worker": {"toleration": []}}}),
    a_value_like_no_other=lambda: of_plugin({"zzz": 1}),
    anything_below_a_free_map=lambda: of_plugin(
        {"podAnnotations": {"team": "vision"}, "nfd": {"worker": {"config": {"anything": 1}}}}
    ),
    a_misspelt_value_of_another_version=lambda: of_plugin({"tolerationss": []}, version="0.19.3"),
    a_misspelt_value_of_another_chart=lambda: beside_plugins(a_chart("kuberay-operator", "1.7.0", replicaz=2)),
    a_chart_without_a_table=lambda: beside_plugins(a_chart("ingress-nginx", "4.0.0", replicaz=2)),
    values_not_known_yet=lambda: a_fleet(an_addon("kuberay-operator", "1.7.0", {"replicas": UNKNOWN})),
)


# addon-image-of-its-chart


def of_efa_plugin(tag: str, **edits: Any) -> Fleet:
    """The EFA plugin with an image of another release."""
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": {"image": {"tag": tag}}}}, **edits)


cases(
    an_image_older_than_its_chart=lambda: of_efa_plugin("v0.3.3"),
    an_image_as_old_as_its_chart=lambda: of_efa_plugin("v0.5.3"),
    an_image_too_old_for_p6=lambda: of_efa_plugin(
        "v0.3.3", **{**ON_DEMAND, "groups.workers.instance": "p6-b200.48xlarge"}
    ),
    kueue_of_an_older_image=lambda: with_addons(
        {**PLUGINS, "kueue": {"values": {"controllerManager": {"manager": {"image": {"tag": "v0.14.4"}}}}}}
    ),
    trainer_of_an_older_image=lambda: with_addons(
        {**PLUGINS, "kueue": {}, "trainer": {"values": {"image": {"tag": "v1.9.0"}}}}
    ),
)


def of_kueue(tag: str, **image: Any) -> Fleet:
    """Kueue with another image."""
    values = {"controllerManager": {"manager": {"image": {"tag": tag, **image}}}}
    return with_addons({**PLUGINS, "kueue": {"values": values}})


# addon-image-tag-exists

cases(
    a_tag_without_its_v=lambda: of_kueue("0.19.2"),
    a_tag_with_its_v=lambda: of_kueue("v0.19.2"),
    a_tag_of_a_mirror=lambda: of_kueue("0.19.2", repository="registry.example.com/kueue"),
    volcanos_tag_of_a_mirror=lambda: with_addons(
        {
            **PLUGINS,
            "volcano": {"values": {"basic": {"image_tag_version": "1.14.1", "image_registry": "registry.example.com"}}},
        }
    ),
    volcanos_tag_without_its_v=lambda: with_addons(
        {**PLUGINS, "volcano": {"values": {"basic": {"image_tag_version": "1.15.0"}}}}
    ),
)

# addon-version-of-its-form

cases(
    an_eks_addon_of_a_charts_version=lambda: with_addons({**PLUGINS, "fsx-csi-driver": {"version": "v1.14.0"}}),
    an_eks_addon_of_its_version=lambda: with_addons({**PLUGINS, "fsx-csi-driver": {"version": "v1.9.0-eksbuild.1"}}),
    a_chart_of_an_eks_addons_version=lambda: with_addons(
        {**PLUGINS, "fsx-csi-driver": {"from": "helm", "version": "v1.9.0-eksbuild.1"}}
    ),
)
