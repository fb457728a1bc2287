"""Managed MLflow: tracking servers."""

from dataclasses import replace
from typing import Any

from muster.blueprint.logical_names import ARTIFACTS_REF, MLFLOW_APP_REF, MLFLOW_REF
from muster.fleet.resources import ControlPlane, Fleet, Place, Ref, TrackingServer
from muster.fleet.resources.ref import DIRECTORY_BUCKET
from muster.unknown import UNKNOWN
from tests.factories import DROP, a_fleet, facts
from tests.hyperpod_factories import a_hyperpod_fleet
from tests.policies.case import cases

AT = "hyperpod.mlflow"


def a_server(**more: Any) -> TrackingServer:
    """A small one."""
    defaults: dict[str, Any] = {"name": "team-a", "artifacts": ARTIFACTS_REF, "version": "3.0", "place": Place(AT)}
    return TrackingServer(MLFLOW_REF, **{**defaults, **more})


def an_app(**more: Any) -> TrackingServer:
    """A serverless one."""
    return replace(a_server(size=None, version=None, serverless=True, **more), ref=MLFLOW_APP_REF)


cases(
    a_small_server=lambda: a_fleet(a_server()),
    a_server_that_aws_chooses_for=lambda: a_fleet(
        a_server(version=None, maintenance=None, artifacts="s3://their-bucket/mlflow")
    ),
    a_server_with_dashes_at_its_end=lambda: a_fleet(a_server(name="team-a-")),
    a_server_with_a_long_name=lambda: a_fleet(a_server(name="a" * 257)),
    a_tiny_server=lambda: a_fleet(a_server(size="small")),
    a_server_maintained_at_any_hour=lambda: a_fleet(a_server(maintenance="Tue:24:00")),
    a_server_maintained_at_night=lambda: a_fleet(a_server(maintenance="Sun:23:59", size="Large")),
    artifacts_in_a_directory_bucket=lambda: a_fleet(a_server(artifacts=Ref(DIRECTORY_BUCKET, "fast"))),
    artifacts_in_a_directory_bucket_of_others=lambda: a_fleet(a_server(artifacts="s3://theirs--usw2-az1--x-s3/mlflow")),
    a_server_of_which_nothing_is_known=lambda: a_fleet(
        a_server(**dict.fromkeys(("name", "size", "version", "maintenance", "artifacts"), UNKNOWN))
    ),
    an_app=lambda: a_fleet(an_app()),
    an_app_with_a_space_in_its_name=lambda: a_fleet(an_app(name="team a")),
    an_app_maintained_at_any_hour=lambda: a_fleet(an_app(maintenance="TUE:03:30")),
    a_version_of_three_numbers=lambda: a_fleet(a_server(version="3.0.0")),
    a_version_of_one_number=lambda: a_fleet(a_server(version="3")),
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
    pods_of_a_cluster_that_has_the_agent=lambda: existing({"eks-pod-identity-agent": "v1.3.10-eksbuild.3"}),
    pods_of_a_cluster_without_the_agent=lambda: existing({"vpc-cni": "v1.23.1-eksbuild.1"}),
    pods_of_a_cluster_of_which_nobody_says=lambda: existing(None),
)
