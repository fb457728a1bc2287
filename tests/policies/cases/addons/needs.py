"""What add-ons need: a version of Kubernetes, other add-ons, nodes that they are for."""

from datetime import date
from typing import Any

from muster.fleet.resources import ControlPlane, EksAddon, Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet, facts
from tests.policies.addons import a_manifest, on_version
from tests.policies.case import cases

# addon-supports-kubernetes, addon-has-what-it-needs


cases(
    an_operator_for_newer_versions=lambda: on_version(
        "1.29", a_manifest("mpi-operator", "v0.8.2"), as_of=date(2024, 1, 1)
    ),
    an_operator_on_a_version_not_yet_known=lambda: on_version(UNKNOWN, a_manifest("mpi-operator", "v0.8.2")),
)


def joining(**known: Any) -> Fleet:
    """An add-on with a role, on a cluster that was there before."""
    plane = a_control_plane(subnets=(), existing=True, name="theirs")
    said = {"facts": facts(clusters={"theirs": {"eksAddons": {"vpc-cni": "v1.23.1-eksbuild.1", **known}}})}
    observability = a_manifest("cloudwatch-observability", "v6.6.0-eksbuild.1")
    return a_fleet(plane, observability, without=[ControlPlane, EksAddon], **(said if known else {}))


cases(
    an_agent_that_an_existing_cluster_lacks=lambda: joining(coredns="v1.14.3-eksbuild.16"),
    an_agent_that_nobody_speaks_of=lambda: joining(),
)
