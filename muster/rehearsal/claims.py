"""Volumes for claims: no CSI driver runs, so each claim that waits for one gets a volume that is made for it."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.rehearsal.client import Json
from muster.rehearsal.control_plane import ControlPlane
from muster.rehearsal.outcome import StandIn


def bind(plane: ControlPlane, namespace: str) -> list[StandIn]:
    """Makes a volume for each claim of a namespace that is bound to none, and waits until it is."""
    client, played = plane.client, []
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    for claim in client.items(path):
        if claim.get("status", {}).get("phase") == "Bound" or claim["spec"].get("volumeName"):
            continue
        name, class_ = claim["metadata"]["name"], claim["spec"].get("storageClassName") or "no class"
        client.apply(_volume(claim))

        def bound(path: str = f"{path}/{name}") -> bool:
            return bool(client.get(path).get("status", {}).get("phase") == "Bound")

        # Else the scheduler meets it unbound, and looks again only after a while.
        plane.wait_until(bound, f"the claim {name} was not bound")
        why = f"no CSI driver runs; the cluster needs one for '{class_}'"
        played.append(StandIn(f"PersistentVolumeClaim {name}", "a volume of its size that is made for it", why))
    return played


def lacking(plane: ControlPlane, namespace: str, pods: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The claims that pods of these specs mount and that are not there."""
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    there = {each["metadata"]["name"] for each in plane.client.items(path)}
    return tuple(sorted(_mounted(pods) - there))


def supply(plane: ControlPlane, namespace: str, names: Iterable[str]) -> None:
    """Makes claims, and a volume for each."""
    for name in names:
        plane.client.apply(
            {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "metadata": {"name": name, "namespace": namespace},
                "spec": {
                    "accessModes": ["ReadWriteMany"],
                    "resources": {"requests": {"storage": "1Gi"}},
                    "storageClassName": "",
                },
            }
        )
    bind(plane, namespace)


def _mounted(pods: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The claims that pods of these specs mount."""
    volumes = (volume for pod in pods for volume in pod.get("volumes") or ())
    return frozenset(str((volume.get("persistentVolumeClaim") or {}).get("claimName") or "") for volume in volumes) - {
        ""
    }


def _volume(claim: Json) -> Json:
    spec, meta = claim["spec"], claim["metadata"]
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": f"rehearsal-{meta['uid']}"},
        "spec": {
            "accessModes": spec.get("accessModes"),
            "capacity": {"storage": spec["resources"]["requests"]["storage"]},
            "claimRef": {"namespace": meta["namespace"], "name": meta["name"]},
            "hostPath": {"path": "/nowhere"},
            "storageClassName": spec.get("storageClassName") or "",
            **({"volumeMode": spec["volumeMode"]} if "volumeMode" in spec else {}),
        },
    }
