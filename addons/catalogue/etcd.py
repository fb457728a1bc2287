"""etcd for TorchX: its objects. See `etcd.toml`."""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Json, OwnObjects
from muster.addons.context import AddonContext
from muster.addons.sheet import addon
from muster.addons.values import values_of, version_of
from muster.addons.workload import Placement, Workload

_NAME = "etcd"
_SERVER = "etcd-server"
_NAMESPACE = "default"
_CLIENTS, _PEERS = 2379, 2380
_LABELS = {"app": "etcd", "etcd_node": _SERVER}
_DATA = "/var/lib/etcd"
_RESOURCES = {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "512Mi"}}
"""Ours: a rendezvous is a handful of small keys."""

_SOURCE = OwnObjects("quay.io/coreos/etcd:{version}")


def _workloads(values: Mapping[str, Any]) -> tuple[Workload, ...]:
    placement = Placement(values.get("tolerations", []))
    return (Workload("Deployment", _SERVER, _NAMESPACE, placement, _RESOURCES, labels=_LABELS),)


def _objects(context: AddonContext) -> tuple[Json, ...]:
    image = context.mirrors.image(_SOURCE.image.format(version=version_of(ADDON, context.chosen[_NAME])))
    clients, peers = _port("client", _CLIENTS), _port("server", _PEERS)
    return (
        _service(_SERVER, {"etcd_node": _SERVER}, clients, peers),
        _service("etcd-client", {"app": "etcd"}, clients),
        _deployment(image, values_of(ADDON, context).get("tolerations", [])),
    )


def _port(name: str, number: int) -> Json:
    return {"name": name, "port": number, "targetPort": number, "protocol": "TCP"}


def _service(name: str, selector: dict[str, str], *ports: Json) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": _NAMESPACE, "labels": _LABELS},
        # etcd has to resolve its own name before it is ready.
        "spec": {"selector": selector, "ports": list(ports), "publishNotReadyAddresses": True},
    }


def _deployment(image: str, tolerations: list[Json]) -> Json:
    pod = {
        "containers": [_container(image)],
        "volumes": [{"name": "data", "emptyDir": {}}],
        # It does not call the API server.
        "automountServiceAccountToken": False,
        **({"tolerations": tolerations} if tolerations else {}),
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": _SERVER, "namespace": _NAMESPACE, "labels": _LABELS},
        "spec": {
            "replicas": 1,
            # Two pods at a time would be two separate clusters.
            "strategy": {"type": "Recreate"},
            "selector": {"matchLabels": _LABELS},
            "template": {"metadata": {"labels": _LABELS}, "spec": pod},
        },
    }


def _container(image: str) -> Json:
    clients, peers = f"http://{_SERVER}:{_CLIENTS}", f"http://{_SERVER}:{_PEERS}"
    return {
        "name": _SERVER,
        "image": image,
        "command": [
            "/usr/local/bin/etcd",
            f"--name={_SERVER}",
            f"--data-dir={_DATA}",
            "--enable-v2",
            f"--listen-client-urls=http://0.0.0.0:{_CLIENTS}",
            f"--advertise-client-urls={clients}",
            f"--listen-peer-urls=http://0.0.0.0:{_PEERS}",
            f"--initial-advertise-peer-urls={peers}",
            f"--initial-cluster={_SERVER}={peers}",
            "--initial-cluster-state=new",
        ],
        "ports": [
            {"name": "client", "containerPort": _CLIENTS, "protocol": "TCP"},
            {"name": "server", "containerPort": _PEERS, "protocol": "TCP"},
        ],
        "readinessProbe": {"httpGet": {"path": "/health", "port": _CLIENTS}},
        "resources": _RESOURCES,
        "volumeMounts": [{"name": "data", "mountPath": _DATA}],
    }


ADDON = addon(_NAME, source=_SOURCE, workloads=_workloads, objects=_objects)
