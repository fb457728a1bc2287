"""Claims of volumes: the rehearsal creates volumes for persistent volume claims."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.outcome import SimulatedPart


def bind_claims(plane: ControlPlane, namespace: str) -> list[SimulatedPart]:
    """Creates a volume for each unbound claim of a namespace, and waits until the claim is bound."""
    client, simulated = plane.client, []
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    for claim in client.items(path):
        if claim.get("status", {}).get("phase") == "Bound" or claim["spec"].get("volumeName"):
            continue
        name, class_ = claim["metadata"]["name"], claim["spec"].get("storageClassName") or "no class"
        client.apply(_volume(claim))

        def bound(path: str = f"{path}/{name}") -> bool:
            return bool(client.get(path).get("status", {}).get("phase") == "Bound")

        # Otherwise the scheduler finds it unbound, and retries only after a while.
        plane.wait_until(bound, f"the claim {name} was not bound")
        why = f"the rehearsal runs no CSI driver; the cluster needs one for '{class_}'"
        simulated.append(
            SimulatedPart(f"PersistentVolumeClaim {name}", "the rehearsal creates a volume of its size", why)
        )
    return simulated


def missing_volume_claims(plane: ControlPlane, namespace: str, pods: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The claims that pods of these specs mount and that do not exist."""
    path = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims"
    there = {each["metadata"]["name"] for each in plane.client.items(path)}
    return tuple(sorted(_mounted(pods) - there))


def namespaces_of_claim(plane: ControlPlane, name: str) -> tuple[str, ...]:
    """The namespaces with a claim of that name."""
    claims = plane.client.items("/api/v1/persistentvolumeclaims")
    return tuple(sorted(each["metadata"]["namespace"] for each in claims if each["metadata"]["name"] == name))


def create_volumes(plane: ControlPlane, namespace: str, names: Iterable[str]) -> None:
    """Creates claims, and a volume for each."""
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
    bind_claims(plane, namespace)


def _mounted(pods: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The claims that pods of these specs mount."""
    volumes = (volume for pod in pods for volume in pod.get("volumes") or ())
    return frozenset(str((volume.get("persistentVolumeClaim") or {}).get("claimName") or "") for volume in volumes) - {
        ""
    }


def _volume(claim: JsonObject) -> JsonObject:
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
