"""How many Neuron devices of a torus a pod asks for."""

from collections.abc import Iterator

from muster.fleet.neuron_torus import PARTS, is_torus
from muster.fleet.resources import Fleet, PodOwner
from policies.reading.pods import NEURON_DEVICES, each_pod, nodes_for
from policies.rule import Rule, Verdict, rule
from policies.words import choice


@rule(
    "neuron-devices-connected",
    title="On trn1.32xlarge a pod asks for 1, 4, 8 or 16 Neuron devices",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="The devices of these types are connected in a torus, of which only such parts hang together: the Neuron "
    "scheduler places no other number, and without it the devices of a pod cannot reach each other.",
    source="AWS Neuron documentation, Neuron scheduler extension",
    remedy="Ask for 1, 4, 8 or 16 devices.",
    facts=("rules.md#45",),
)
def neuron_devices_connected(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template, asks, missing in each_pod(owner):
        if missing:
            yield rule.unjudged(owner.place, missing)
        for resource in NEURON_DEVICES:
            if not (asked := asks.get(resource, 0)) or asked in PARTS or asked > PARTS[-1]:
                continue  # more than there are: devices-within-instance
            nodes = nodes_for(template, fleet)
            if nodes and all(is_torus(spot.machine) for spot in nodes):
                less, more = max(n for n in PARTS if n < asked), min(n for n in PARTS if n > asked)
                yield rule.finding(
                    owner.place,
                    got=f"{template.path} asks {asked} {resource} of a {nodes[0].machine.instance}",
                    remedy=f"ask for {choice((less, more))}",
                )
            elif not nodes:
                yield rule.unjudged(owner.place, f"the nodes that {template.path} is for")
