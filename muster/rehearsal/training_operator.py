"""What the training operator needs in the cluster: its custom resources, and its webhooks at the address it runs at."""

import base64
import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from muster.rehearsal.building import MANIFESTS
from muster.rehearsal.certificates import LOOPBACK

WEBHOOKS = "validator.training-operator.kubeflow.org"
"""The name its own installation gives the webhook configuration."""

KINDS = ("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob")
"""The jobs it runs. Not its MPIJob (v1): clusters have the MPI operator's, and both have the same name."""


def manifests(binary: Path, kinds: Collection[str], port: int, authority: bytes) -> list[dict[str, Any]]:
    """The objects that must be there before it starts."""
    everything = json.loads((binary.parent / MANIFESTS).read_text())
    resources = [each for each in everything if each["kind"] == "CustomResourceDefinition"]
    chosen = [each for each in resources if each["spec"]["names"]["kind"] in kinds]
    plurals = {each["spec"]["names"]["plural"] for each in chosen}
    webhooks = next(each for each in everything if each["kind"] == "ValidatingWebhookConfiguration")
    return [
        *chosen,
        {
            "apiVersion": webhooks["apiVersion"],
            "kind": webhooks["kind"],
            "metadata": {"name": WEBHOOKS},
            "webhooks": list(_here(webhooks["webhooks"], plurals, port, authority)),
        },
    ]


def _here(webhooks: list[dict[str, Any]], plurals: set[str], port: int, authority: bytes) -> Iterator[dict[str, Any]]:
    """The webhooks of the chosen kinds, reached on loopback instead of through a Service."""
    for webhook in webhooks:
        if plurals.issuperset(*(rule["resources"] for rule in webhook["rules"])):
            path = webhook["clientConfig"]["service"]["path"]
            here = {
                "url": f"https://{LOOPBACK}:{port}{path}",
                "caBundle": base64.b64encode(authority).decode(),
            }
            yield {**webhook, "clientConfig": here}
