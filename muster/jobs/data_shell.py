"""A pod with a shell on the stack's file system, to load data: it sleeps until somebody comes in.

After the tutorial's `cmd-shell` (aws-neuron/aws-neuron-eks-samples, `dp_bert_hf_pretrain`), with AWS's own image of its
CLI in place of one that is built for it. It waits for its claim, so it also shows that the claim is bound.
"""

from typing import Any

from muster.fleet.blueprint import Blueprint
from muster.jobs import beside_workers, images, storage
from muster.jobs.ask import PLAIN, Ask
from muster.jobs.crew import both
from muster.jobs.home import metadata
from muster.versions import AWS_CLI_IMAGE

NAME = "data-shell"


def build(blueprint: Blueprint, ask: Ask = PLAIN) -> dict[str, Any]:
    """The Pod for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    (_, where), claim = both(
        lambda: both(lambda: beside_workers.unsized(NAME, ask), lambda: beside_workers.placement(blueprint)),
        lambda: storage.claim(blueprint, ask),
    )
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata(NAME, claim=claim),
        "spec": {
            **where,
            "restartPolicy": "Never",
            "containers": [
                {
                    "name": "shell",
                    "image": ask.image or images.published(blueprint, AWS_CLI_IMAGE),
                    # A shell that hears when it is told to stop; `sleep` alone, as process 1, does not.
                    "command": ["/bin/sh", "-c", "trap 'exit 0' TERM; while true; do sleep 30 & wait; done"],
                    "workingDir": storage.PATH,
                    "resources": beside_workers.resources("500m", "2Gi"),
                    "volumeMounts": storage.mounts(),
                }
            ],
            "volumes": storage.volumes(claim),
        },
    }
