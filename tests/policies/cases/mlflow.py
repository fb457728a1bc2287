"""Managed MLflow: tracking servers."""

from dataclasses import replace
from typing import Any

from muster.blueprint.logical_names import ARTIFACTS_REF, MLFLOW_REF
from muster.fleet.resources import ControlPlane, Fleet, Place, TrackingServer
from muster.unknown import UNKNOWN
from tests.factories import DROP, a_fleet, facts
from tests.factories.hyperpod import a_hyperpod_fleet
from tests.policies.case import cases

AT = "hyperpod.mlflow"


def a_server(**more: Any) -> TrackingServer:
    """A small one."""
    defaults: dict[str, Any] = {"name": "team-a", "artifacts": ARTIFACTS_REF, "version": "3.0", "place": Place(AT)}
    return TrackingServer(MLFLOW_REF, **{**defaults, **more})


cases(
    a_server_of_which_nothing_is_known=lambda: a_fleet(
        a_server(**dict.fromkeys(("name", "size", "version", "maintenance", "artifacts"), UNKNOWN))
    ),
    a_version_of_three_numbers=lambda: a_fleet(a_server(version="3.0.0")),
)


# pods

EXISTING = {
    "control-plane": {
        "existing": {"name": "theirs", "security-group": "sg-0123456789abcdef0", "authentication": "api"}
    },
    "api": DROP,
    "hyperpod.mlflow": {},
}


def existing(addons: dict[str, str] | None) -> Fleet:
    """Only the tracking server's rules are of interest: the rest of what is known is left out."""
    known = {"theirs": {"eksAddons": addons}} if addons is not None else {}
    whole = a_hyperpod_fleet(EXISTING, facts=facts(clusters=known))
    kept = tuple(each for each in whole.objects if isinstance(each, ControlPlane | TrackingServer))
    return replace(whole, objects=kept)


cases(
    pods_of_a_cluster_without_the_agent=lambda: existing({"vpc-cni": "v1.23.1-eksbuild.1"}),
    pods_of_a_cluster_of_which_nobody_says=lambda: existing(None),
)
