"""TensorBoard over what training jobs write to the stack's file system: a Deployment, and a Service for it.

After the tutorial's (aws-neuron/aws-neuron-eks-samples, `dp_bert_hf_pretrain`), which opens a load balancer to the
world, with a password in its address; here it is reached by `kubectl port-forward`. TensorFlow's own image serves it.
"""

from typing import Any

from muster.fleet.blueprint import Blueprint
from muster.jobs import bert, beside_workers, images, storage
from muster.jobs.ask import PLAIN, Ask
from muster.jobs.crew import both
from muster.jobs.home import metadata
from muster.versions import TENSORBOARD_IMAGE

NAME = "tensorboard"

PORT = 6006

_LABELS = {"app.kubernetes.io/name": NAME}


def build(blueprint: Blueprint, ask: Ask = PLAIN) -> dict[str, Any]:
    """The Deployment for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    (_, where), claim = both(
        lambda: both(lambda: beside_workers.unsized(NAME, ask), lambda: beside_workers.placement(blueprint)),
        lambda: storage.claim(blueprint, ask),
    )
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(NAME, claim=claim, labels=_LABELS),
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": dict(_LABELS)},
            "template": {
                "metadata": {"labels": dict(_LABELS)},
                "spec": {
                    **where,
                    "containers": [
                        {
                            "name": NAME,
                            "image": ask.image or images.published(blueprint, TENSORBOARD_IMAGE),
                            "command": ["tensorboard", "--logdir", bert.OUTPUT, "--bind_all", "--port", str(PORT)],
                            "ports": [{"name": "http", "containerPort": PORT}],
                            "resources": beside_workers.resources("500m", "2Gi"),
                            "volumeMounts": [{**each, "readOnly": True} for each in storage.mounts()],
                        }
                    ],
                    "volumes": storage.volumes(claim),
                },
            },
        },
    }


def beside(blueprint: Blueprint, ask: Ask = PLAIN) -> tuple[dict[str, Any], ...]:
    """The Service.

    Raises:
        DoesNotFit: this cluster cannot run it.
    """
    return (
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": metadata(NAME, claim=storage.claim(blueprint, ask), labels=_LABELS),
            "spec": {
                "selector": dict(_LABELS),
                "ports": [{"name": "http", "port": PORT, "targetPort": "http"}],
            },
        },
    )
