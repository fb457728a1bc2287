"""`muster addons`: the add-ons of a stack in their order."""

from muster.cli.options import Json, Stack


def addons(
    stack: Stack,
    *,
    as_json: Json = False,
) -> None:
    """Show the add-ons of a stack in order of installation: versions, dependencies, groups served.

    The list begins with EKS's own add-ons. Needs no charts and no AWS account. `muster rehearse STACK --charts DIR`
    renders the charts, and runs their pods on a real scheduler.
    """
    from muster import terminal
    from muster.addons.installation_order import graph
    from muster.cli.stacks import open_kubernetes
    from muster.cli.writers import addon_graph

    blueprint = open_kubernetes(stack, lambda slurm: slurm.install)[1]
    entries = graph(blueprint)
    if as_json:
        terminal.write(addon_graph.write_json(entries))
    else:
        for part in addon_graph.write_table(blueprint.stack, entries, terminal.style()):
            terminal.write(part)
