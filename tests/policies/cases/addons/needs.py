"""What add-ons need: a version of Kubernetes, other add-ons, nodes that they are for."""

from datetime import date
from typing import Any

from muster.fleet.resources import ControlPlane, EksAddon, Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet, described, facts
from tests.policies.addons import PLUGINS, a_chart, a_manifest, on_version, where, with_addons
from tests.policies.case import case, cases

# addon-supports-kubernetes, addon-has-what-it-needs


cases(
    an_operator_for_newer_versions=lambda: on_version(
        "1.29", a_manifest("mpi-operator", "v0.8.2"), as_of=date(2024, 1, 1)
    ),
    volcano_on_a_version_that_it_does_not_name=lambda: described({"kubernetes": "1.36", "addons.volcano": {}}),
    an_operator_of_another_version=lambda: on_version(
        "1.29", a_manifest("mpi-operator", "v0.7.0"), as_of=date(2024, 1, 1)
    ),
    an_operator_on_a_version_not_yet_known=lambda: on_version(UNKNOWN, a_manifest("mpi-operator", "v0.8.2")),
)


TRAINING_OF_HYPERPOD = "hyperpod-training-operator"


cases(
    an_operator_without_its_certificates=lambda: with_addons({**PLUGINS, TRAINING_OF_HYPERPOD: {}}),
    an_operator_with_its_certificates=lambda: with_addons({**PLUGINS, TRAINING_OF_HYPERPOD: {}, "cert-manager": {}}),
)


BY_CERT_MANAGER: dict[str, Any] = {"values": {"enableCertManager": True}}

CERT_MANAGER = a_chart("cert-manager", "v1.19.0")

cases(
    certificates_without_cert_manager=lambda: with_addons({**PLUGINS, "kueue": BY_CERT_MANAGER}),
    certificates_by_a_chart_that_comes_first=lambda: with_addons(
        {**PLUGINS, "kueue": BY_CERT_MANAGER, "charts": {"cm": {**CERT_MANAGER, "before-addons": True}}}
    ),
    certificates_by_a_chart_that_comes_later=lambda: with_addons(
        {**PLUGINS, "kueue": BY_CERT_MANAGER, "charts": {"cm": CERT_MANAGER}}
    ),
    certificates_of_a_part_that_is_off=lambda: with_addons(
        {
            **PLUGINS,
            "jobset": {},
            "trainer": {"values": {"jobset": {"install": False, "certManager": {"enable": True}}}},
        }
    ),
    certificates_by_cert_manager=lambda: with_addons({**PLUGINS, "kueue": BY_CERT_MANAGER, "cert-manager": {}}),
)


def joining(**known: Any) -> Fleet:
    """An add-on with a role, on a cluster that was there before."""
    plane = a_control_plane(subnets=(), existing=True, name="theirs")
    said = {"facts": facts(clusters={"theirs": {"eksAddons": {"vpc-cni": "v1.23.1-eksbuild.1", **known}}})}
    observability = a_manifest("cloudwatch-observability", "v6.6.0-eksbuild.1")
    return a_fleet(plane, observability, without=[ControlPlane, EksAddon], **(said if known else {}))


AGENT = "eks-pod-identity-agent"


cases(
    an_agent_that_an_existing_cluster_lacks=lambda: joining(coredns="v1.14.3-eksbuild.16"),
    an_agent_that_an_existing_cluster_has=lambda: joining(**{AGENT: "v1.3.10-eksbuild.3"}),
    an_agent_that_nobody_speaks_of=lambda: joining(),
)


REPOSITORY = {"repository": "oci://registry.example.com/charts"}


@case
def our_hyperpod_beside_our_operators() -> Fleet:
    names = ("mpi-operator", "kueue", "hyperpod-training-operator", "cert-manager")
    return with_addons({**PLUGINS, "hyperpod": REPOSITORY, **{name: {} for name in names}})


@case
def our_hyperpod_with_an_nvidia_plugin_for_these_nodes() -> Fleet:
    own = {"devicePlugin": {"enabled": True}, "affinity": where("node.kubernetes.io/instance-type", "p5.48xlarge")}
    values = {"nvidia-device-plugin": own}
    return with_addons({**PLUGINS, "hyperpod": {**REPOSITORY, "values": values}})


# add-ons without nodes that they are for


cases(
    hyperpods_chart_without_its_nodes=lambda: with_addons({**PLUGINS, "hyperpod": REPOSITORY}),
    the_monitoring_agent_on_nodes_of_eks=lambda: with_addons({**PLUGINS, "eks-node-monitoring-agent": {}}),
)
