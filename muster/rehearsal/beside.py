"""What goes with a job onto the control plane: its namespace, claims, configuration; and what of it cannot go."""

from collections.abc import Iterable, Iterator

from muster.jobs.kueue import VERSIONS
from muster.rehearsal.client import ApiError, Json
from muster.rehearsal.control_plane import ControlPlane
from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.outcome import StandIn


def prepare(plane: ControlPlane, namespace: str, beside: Iterable[Json]) -> list[StandIn]:
    """Makes the job's namespace and creates what goes with it; what is played or left out of it.

    Raises:
        RehearsalFault: the control plane refuses one of the objects.
    """
    client, given = plane.client, [each for each in beside if each["apiVersion"] not in VERSIONS]
    if namespace != "default":
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
    plane.wait_until(lambda: bool(client.items(accounts)), f"no service account came to be in {namespace}")
    left: list[StandIn] = []
    for thing in sorted(given, key=lambda each: each["kind"] not in {"Namespace", "CustomResourceDefinition"}):
        what = f"{thing['kind']} {thing['metadata'].get('name', '')}".strip()
        if not client.knows(thing["apiVersion"], thing["kind"]):
            left.append(StandIn(what, "left out", f"the control plane knows no {thing['apiVersion']} {thing['kind']}"))
            continue
        try:
            client.apply(thing)
        except ApiError as fault:
            raise RehearsalFault(f"the control plane refuses the {what} beside the job: {fault}") from None
    for volume in _volumes(given, namespace):
        client.apply(volume)
        claim = volume["spec"]["claimRef"]
        path = f"/api/v1/namespaces/{claim['namespace']}/persistentvolumeclaims/{claim['name']}"
        # Else the scheduler meets it unbound, and looks again only after a while.
        plane.wait_until(lambda: client.get(path)["status"].get("phase") == "Bound", f"{claim['name']} was not bound")  # noqa: B023 (waited for here)
        played = "a volume of its size that is made for it"
        left.append(StandIn(f"PersistentVolumeClaim {claim['name']}", played, "no CSI driver runs"))
    return left


def _volumes(given: list[Json], namespace: str) -> Iterator[Json]:
    """A volume for every claim that no volume beside it is for: its driver would have made one."""
    for claim in (each for each in given if each["kind"] == "PersistentVolumeClaim"):
        spec, meta = claim.get("spec", {}), claim["metadata"]
        if spec.get("volumeName") or any(_is_for(each, claim) for each in given):
            continue
        where = meta.get("namespace", namespace)
        yield {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": f"rehearsal-{where}-{meta['name']}"},
            "spec": {
                "accessModes": spec.get("accessModes"),
                "capacity": {"storage": spec["resources"]["requests"]["storage"]},
                "claimRef": {"namespace": where, "name": meta["name"]},
                "hostPath": {"path": "/nowhere"},
                "storageClassName": spec.get("storageClassName", ""),
                **({"volumeMode": spec["volumeMode"]} if "volumeMode" in spec else {}),
            },
        }


def _is_for(thing: Json, claim: Json) -> bool:
    """Whether it is a volume that the claim may bind to: of the same class, which is all that we look at."""
    if thing["kind"] != "PersistentVolume":
        return False
    reference = thing["spec"].get("claimRef")
    if reference:
        return bool(reference.get("name") == claim["metadata"]["name"])
    return bool(thing["spec"].get("storageClassName", "") == claim["spec"].get("storageClassName", ""))
