"""How a group comes to have more nodes."""

from dataclasses import dataclass

from muster.rehearsal.scene import Scene


@dataclass(frozen=True, slots=True)
class Growth:
    """What makes a group larger."""

    remedy: str
    where: str
    """The dotted path of the number to change."""


def grown(scene: Scene, name: str, more: int) -> Growth:
    """How a group comes to so many nodes more than it has.

    All its nodes count, also those that the waiting pod may not go to, and lost ones, which are replaced.
    """
    need = more + sum(node.group == name for node in (*scene.nodes, *scene.lost))
    described = scene.blueprint.group(name).described
    nodes, where = described.nodes, f"groups.{name}.nodes"
    if nodes.fixed:
        said = f"raise {where} to {need}"
    elif need > nodes.max:
        where = f"{where}.max"
        said = f"raise {where} to {need} and scale the group to {need} nodes (one that is not created yet: nodes.start)"
    else:
        where = f"{where}.start"
        said = f"scale group '{name}' to {need} nodes (one that is not created yet: raise {where})"
    held = described.capacity.held
    if held and held.count and held.count < need:
        said += f" (its reservation holds {held.count}, and would have to hold {need})"
    return Growth(said, where)
