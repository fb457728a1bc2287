"""Claims of volumes: the rehearsal creates volumes for persistent volume claims."""

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
