"""Manifests with variables: which there are, which a rehearsal needs, what fills them."""

import pytest

from muster.jobs import template

FOUND = {
    "$NUM_NODES and ${GPU_PER_NODE}Gi": ["NUM_NODES", "GPU_PER_NODE"],
    "${NUM_NODES:-2} ${NUM_NODES-2}": ["NUM_NODES"],
    "PLACEHOLDER_NUM_NODES a__B__ __PVC_NAME__ __name__": ["PLACEHOLDER_NUM_NODES", "__PVC_NAME__"],
    "$(POD_NAME) $1 $$ $? ${#NAME} 100$ A_PLACEHOLDER": [],
    "# $COMMENTED": [],
}


@pytest.mark.parametrize("text", FOUND)
def test_variables_of_a_text(text: str) -> None:
    """As envsubst finds them; Kubernetes' own `$(NAME)` and a shell's other forms are none."""
    assert list(template.variable_names(text)) == FOUND[text]


def test_what_has_no_value_stays() -> None:
    """Names that only begin alike, too."""
    assert template.fill("$A ${A}b ${A:-1} $AB $B", {"A": "x"}) == "x xb x $AB $B"


def test_a_rehearsal_needs_what_it_looks_at() -> None:
    """Not what a container runs or reads, nor its image."""
    container = {"image": "$IMAGE", "command": ["$RUN"], "args": ["$ARG"], "env": [{"name": "a", "value": "$TOKEN"}]}
    job = {
        "kind": "Job",
        "metadata": {"name": "$NAME", "labels": {"$KEY": "a"}},
        "spec": {"replicas": "$NUM", "containers": [{**container, "resources": {"limits": {"a": "${GPUS}"}}}]},
    }
    found = template.needed([job, {"kind": "ConfigMap", "data": {"a": "$DATA"}}])
    assert found.keys() == {"NAME", "KEY", "NUM", "GPUS"}
    (place,) = found["GPUS"]
    assert (place.key, place.keys[-3:]) == ("a", ("resources", "limits", "a"))


def test_variables_that_torchrun_counts_nodes_by() -> None:
    """But not those of the container's own environment."""
    text = "- --nnodes=$MIN:${MAX}\n- --nnodes $WORLD\n# --nnodes=$OFF\nenv:\n- name: WORLD\n"
    assert template.of_nnodes(text).keys() == {"MIN", "MAX"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a: {{ .Values.a }}", "Helm chart"),
        ("{% if a %}\na: {{ a }}", "Jinja"),
        ("a: {{ a }}", "Helm or Jinja template"),
    ],
)
def test_templates_that_something_else_renders(text: str, kind: str) -> None:
    """Are told apart, with their place."""
    said = template.rendered_by(text)
    assert kind in said
    assert said.startswith("1:")
