"""Volcano's queues are the description's."""

from hypothesis import given
from hypothesis import strategies as st

from muster.addons.catalogue import CATALOGUE
from muster.config.description.addon_queues import VolcanoQueue
from muster.config.description.addons import VolcanoOptions
from tests.addons.contexts import a_context

VOLCANO = CATALOGUE["volcano"]


def test_the_queue_of_the_trainium_tutorial() -> None:
    """aws-neuron-eks-samples, `dp_bert_hf_pretrain/scripts/create_volcano_test_queue.sh`: what TorchX is told of."""
    options = VolcanoOptions(queues={"test": VolcanoQueue(weight=1, reclaimable=False, capability={"cpu": 2})})
    assert VOLCANO.objects(a_context(volcano=options)) == (
        {
            "apiVersion": "scheduling.volcano.sh/v1beta1",
            "kind": "Queue",
            "metadata": {"name": "test"},
            "spec": {"weight": 1, "reclaimable": False, "capability": {"cpu": "2"}},
        },
    )
    assert VOLCANO.objects(a_context(volcano=VolcanoOptions())) == ()


@given(st.permutations("abcdef"), st.data())
def test_a_queue_is_made_after_the_one_it_is_part_of(names: list[str], data: st.DataObject) -> None:
    """Volcano's webhook refuses it else, in whatever order they stand."""
    parents = {name: data.draw(st.sampled_from(["root", None, *names[:index]])) for index, name in enumerate(names)}
    order = data.draw(st.permutations(names))
    options = VolcanoOptions(queues={name: VolcanoQueue(parent=parents[name]) for name in order})
    made = [each["metadata"]["name"] for each in VOLCANO.objects(a_context(volcano=options))]
    assert sorted(made) == sorted(names)
    for name, parent in parents.items():
        assert parent not in names or made.index(str(parent)) < made.index(name)
