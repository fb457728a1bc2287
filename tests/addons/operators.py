"""What a user may say in the values of operators, as far as it decides where their pods run."""

from typing import Any

Json = dict[str, Any]

_ANY = [{"operator": "Exists"}, {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute"}]
_NODE = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": []}]}}

_TOLERATIONS: list[Json] = [{"tolerations": each} for each in ([], None, _ANY)]
_SELECTORS: list[Json] = [{"nodeSelector": {"team": "vision", "mpi": "yes"}}, {"nodeSelector": None}]
_AFFINITIES: list[Json] = [{"affinity": each} for each in (None, {}, {"nodeAffinity": _NODE})]
_RESOURCES: list[Json] = [
    {"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "2Gi"}}},
    {"resources": {"limits": {"memory": None}}},
    {"resources": None},
]
_PRIORITIES: list[Json] = [{"priorityClassName": "mine"}, {"priorityClassName": None}]
_REPLICAS: list[Json] = [{"replicas": 2}, {"replicas": 0}]
_NAMES: list[Json] = [
    {"fullnameOverride": "mine"},
    {"fullnameOverride": None},
    {"fullnameOverride": "mine" * 10 + "min-e"},
    {"nameOverride": "mine"},
    {"nameOverride": "mine", "fullnameOverride": ""},
    {"nameOverride": None, "fullnameOverride": None},
]
_OF_A_POD = [*_TOLERATIONS, *_SELECTORS, *_AFFINITIES, *_RESOURCES]

_VOLCANOS: list[Json] = [
    {f"{who}_{what}": said}
    for who in ("default", "admission", "controller", "scheduler")
    for what, said in (("tolerations", _ANY), ("ns", {"team": "vision"}), ("affinity", {"nodeAffinity": _NODE}))
]

_OF_A_CLUSTER: Json = {"settings": {"clusterName": "research"}}
"""What the chart of Karpenter wants."""

OPERATORS: dict[str, list[Json]] = {
    "mpi-operator": [{}],
    "training-operator": [{}],
    "jobset": [{}, *_NAMES, *({"controller": each} for each in (*_OF_A_POD, *_REPLICAS))],
    "trainer": [
        {},
        *_NAMES,
        *({"manager": each} for each in (*_OF_A_POD, *_REPLICAS)),
        *({"jobset": each} for each in _NAMES),
        *({"jobset": {"controller": each}} for each in (*_OF_A_POD, *_REPLICAS)),
        {"jobset": {"install": False}},
        {"runtimes": {"torchDistributed": {"enabled": False}}},
    ],
    "volcano": [
        {},
        *({"custom": each} for each in _VOLCANOS),
        *({"custom": {"default_tolerations": each}} for each in ([], None)),
        *({"custom": {f"{each}_enable": False}} for each in ("admission", "controller", "scheduler")),
        *({"custom": {f"{each}_replicas": 2}} for each in ("admission", "controller", "scheduler")),
        {"custom": {"scheduler_resources": {"requests": {"cpu": "1"}}}},
    ],
    "kuberay-operator": [{}, *_NAMES, *_OF_A_POD, *_REPLICAS, *_PRIORITIES],
    "karpenter": [
        {**_OF_A_CLUSTER, **each}
        for each in (
            {},
            *(*_NAMES, *_TOLERATIONS, *_SELECTORS, *_AFFINITIES, *_REPLICAS, *_PRIORITIES),
            *({"controller": each} for each in _RESOURCES),
        )
    ],
    "kueue": [
        {},
        *_NAMES,
        *({"controllerManager": each} for each in (*_TOLERATIONS, *_SELECTORS, *_REPLICAS)),
        *({"controllerManager": {"manager": each}} for each in (*_RESOURCES, *_PRIORITIES)),
    ],
}
"""Add-on -> values, one thing said in each."""
