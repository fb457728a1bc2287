"""Managed MLflow: tracking servers."""

from dataclasses import replace
from typing import Any

from muster.blueprint.logical_names import ARTIFACTS_REF, MLFLOW_REF
from muster.fleet.resources import ControlPlane, Fleet, Place, Ref, TrackingServer
from muster.fleet.resources.ref import DIRECTORY_BUCKET
from muster.fleet.unknown import UNKNOWN
from tests.factories import DROP, a_fleet, facts
from tests.hyperpod_factories import a_hyperpod_fleet
from tests.policies.case import case

LEGAL, KEPT, ROLE = "mlflow-server-legal", "mlflow-version-kept", "mlflow-pods-have-a-role"
AT = "hyperpod.mlflow"


def a_server(**more: Any) -> TrackingServer:
    """A small one."""
    defaults: dict[str, Any] = {"name": "team-a", "artifacts": ARTIFACTS_REF, "version": "3.0", "place": Place(AT)}
    return TrackingServer(MLFLOW_REF, **{**defaults, **more})


@case()
def a_small_server() -> Fleet:
    return a_fleet(a_server())


@case()
def a_server_that_aws_chooses_for() -> Fleet:
    return a_fleet(a_server(version=None, maintenance=None, artifacts="s3://their-bucket/mlflow"))


@case(f"{LEGAL} @ {AT}")
def a_server_with_dashes_at_its_end() -> Fleet:
    return a_fleet(a_server(name="team-a-"))


@case(f"{LEGAL} @ {AT}")
def a_server_with_a_long_name() -> Fleet:
    return a_fleet(a_server(name="a" * 257))


@case(f"{LEGAL} @ {AT}")
def a_tiny_server() -> Fleet:
    return a_fleet(a_server(size="small"))


@case(f"{LEGAL} @ {AT}")
def a_server_maintained_at_any_hour() -> Fleet:
    return a_fleet(a_server(maintenance="Tue:24:00"))


@case()
def a_server_maintained_at_night() -> Fleet:
    return a_fleet(a_server(maintenance="Sun:23:59", size="Large"))


@case(f"{LEGAL} @ {AT}")
def artifacts_in_a_directory_bucket() -> Fleet:
    return a_fleet(a_server(artifacts=Ref(DIRECTORY_BUCKET, "fast")))


@case(f"{LEGAL} @ {AT}")
def artifacts_in_a_directory_bucket_of_others() -> Fleet:
    return a_fleet(a_server(artifacts="s3://theirs--usw2-az1--x-s3/mlflow"))


@case(unjudged=(f"{LEGAL} @ {AT}", f"{KEPT} @ {AT}"))
def a_server_of_which_nothing_is_known() -> Fleet:
    unknown = dict.fromkeys(("name", "size", "version", "maintenance", "artifacts"), UNKNOWN)
    return a_fleet(a_server(**unknown))


@case(f"{KEPT} @ {AT}.version")
def a_version_of_three_numbers() -> Fleet:
    return a_fleet(a_server(version="3.0.0"))


@case(f"{KEPT} @ {AT}.version")
def a_version_of_one_number() -> Fleet:
    return a_fleet(a_server(version="3"))


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


@case()
def pods_of_a_cluster_that_has_the_agent() -> Fleet:
    return existing({"eks-pod-identity-agent": "v1.3.10-eksbuild.3"})


@case(f"{ROLE} @ {AT}.pods")
def pods_of_a_cluster_without_the_agent() -> Fleet:
    return existing({"vpc-cni": "v1.23.1-eksbuild.1"})


@case(unjudged=(f"{ROLE} @ {AT}",))
def pods_of_a_cluster_of_which_nobody_says() -> Fleet:
    return existing(None)
