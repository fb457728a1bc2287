"""Pods and nodes of few labels and taints, so that they often meet."""

from typing import Any

from hypothesis import strategies as st

from muster.scheduling.fit import KubernetesNode
from muster.scheduling.requirements import Operator
from muster.scheduling.taints import Taint
from muster.unknown import UNKNOWN

KEYS, VALUES = ("a", "b", "c"), ("x", "7", "12", "-3")
EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")

labels = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES))
partly_known_labels = st.dictionaries(st.sampled_from(KEYS), st.sampled_from([*VALUES, UNKNOWN]))

expressions = st.one_of(
    st.fixed_dictionaries(
        {
            "key": st.sampled_from(KEYS),
            "operator": st.sampled_from([Operator.IN, Operator.NOT_IN]),
            "values": st.lists(st.sampled_from(VALUES), min_size=1, max_size=3),
        }
    ),
    st.fixed_dictionaries(
        {"key": st.sampled_from(KEYS), "operator": st.sampled_from([Operator.EXISTS, Operator.DOES_NOT_EXIST])}
    ),
    st.fixed_dictionaries(
        {
            "key": st.sampled_from(KEYS),
            "operator": st.sampled_from([Operator.GREATER_THAN, Operator.LESS_THAN]),
            "values": st.lists(st.sampled_from(["-5", "7", "10", "x"]), min_size=1, max_size=1),
        }
    ),
)
fields = st.builds(
    lambda operator, name: {"key": "metadata.name", "operator": operator, "values": [name]},
    st.sampled_from([Operator.IN, Operator.NOT_IN]),
    st.sampled_from(["node-0", "node-1"]),
)
terms = st.fixed_dictionaries(
    {},
    optional={
        "matchExpressions": st.lists(expressions, max_size=3),
        "matchFields": st.lists(fields, max_size=1),
    },
)
tolerations = st.one_of(
    st.fixed_dictionaries(
        {"key": st.sampled_from(KEYS)},
        optional={
            "value": st.sampled_from(VALUES),
            "operator": st.just("Equal"),
            "effect": st.sampled_from(["", *EFFECTS]),
        },
    ),
    st.fixed_dictionaries(
        {"operator": st.just("Exists")},
        optional={"key": st.sampled_from(["", *KEYS]), "effect": st.sampled_from(["", *EFFECTS])},
    ),
)
taints = st.builds(Taint, st.sampled_from(KEYS), st.sampled_from(["", *VALUES]), st.sampled_from(EFFECTS))


def affinity(required: list[dict[str, Any]] | None) -> dict[str, Any]:
    """A pod's `affinity` that requires one of these terms of its node; of None, nothing."""
    if required is None:
        return {}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": required}}}


pod_specs = st.fixed_dictionaries(
    {
        "nodeSelector": st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=1),
        "affinity": st.none() | st.lists(terms, max_size=3) | st.just([{"matchExpressions": []}]),
        "tolerations": st.lists(tolerations, max_size=3),
    }
).map(lambda spec: {**spec, "affinity": affinity(spec["affinity"])})

nodes = st.builds(
    KubernetesNode, st.sampled_from(["node-0", "node-1"]), labels, st.lists(taints, max_size=3).map(frozenset)
)
