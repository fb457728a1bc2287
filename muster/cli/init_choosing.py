"""Chooses what a new stack is made of: by what AWS says, by what was given, by what is asked on a terminal."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muster.cli.exits import WrongInput
from muster.cli.init_given import Given
from muster.cli.init_held import asking, assumed, backend_of, find_held, nodes_of, tell

if TYPE_CHECKING:
    from muster.account.asking import Asker
    from muster.account.discovery.landscape import Landscape
    from muster.account.discovery.need import Need
    from muster.fleet.new_stack.choices import Backend, Choices
    from muster.fleet.new_stack.held import Held
    from muster.fleet.new_stack.networks import AnyNetwork


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen, and who was asked about it: nobody offline."""

    choices: "Choices"
    landscape: "Landscape | None" = None
    ask: "Asker | None" = None


def region_of(given: Given, otherwise: str | None = None) -> str:
    """The Region: the one given, a training plan's own, `otherwise`, or that of the session.

    Raises:
        WrongInput: nobody says it, or two say two.
    """
    from muster.account.region import default_region
    from muster.fleet.region_name import misspelt

    own = given.training_plan.split(":")[3] if given.training_plan else None
    if own and given.region and own != given.region:
        raise WrongInput(f"--region is {given.region}, and the training plan is in {own}; leave --region away")
    region = given.region or own or otherwise or default_region(given.profile)
    if not region and given.interactive:
        from muster.cli.init_prompts import which_region

        region = which_region()
    if not region:
        raise WrongInput("no Region; give --region, or set AWS_REGION or the profile's region")
    if wrong := misspelt(region):
        raise WrongInput(f"{wrong} (of AWS_REGION or the profile; --region says another)")
    return region


def choose(given: Given) -> Chosen:
    """Everything that the file says.

    Raises:
        WrongInput: it cannot be chosen; the message says what to give.
    """
    from muster.fleet.new_stack.held import Kind

    region = region_of(given)
    if given.held is not None:
        backend_of(given, Kind(given.held[0]))
    if given.offline:
        return _offline(given, region)
    held, ask = find_held(given, region)
    backend = backend_of(given, held.kind)
    nodes, why_nodes = nodes_of(given, held)
    with asking(given, region, ask) as ask:
        trial = _choices(given, backend, region, held, nodes, why_nodes)
        need = needed(trial)
        seen = see(ask, need, given.vpc)
    tell(seen.unanswered)
    network = network_of(given, seen, need)
    api_from = given.api_from
    if given.interactive and not api_from and backend.value != "parallelcluster":
        from muster.cli.init_prompts import which_networks

        api_from = which_networks()
    system_zone = system_zone_of(network.zones, seen.offered.get(need.system))
    made = replace(trial, network=network, api_from=api_from, system_zone=system_zone, asked=seen.account)
    return Chosen(made, seen, ask)


def needed(trial: "Choices") -> "Need":
    """What the choices ask of their network, whichever it will be.

    Raises:
        WrongInput: no group can be of that type.
    """
    from muster.account.discovery.need import Need
    from muster.fleet.hardware import UnknownInstance
    from muster.fleet.new_stack.choices import Backend
    from muster.fleet.new_stack.kubernetes_entries import SYSTEM_INSTANCE
    from muster.fleet.new_stack.room import addresses, described

    try:
        made, faults = described(trial)
    except UnknownInstance as fault:
        raise WrongInput(f"no stack can be made for {trial.held.name}: {fault}") from None
    if made is None:
        said = "; ".join(f"{each.got}: {each.remedy}" if each.remedy else each.got for each in faults)
        raise WrongInput(f"no stack can be made for {trial.held.name}: {said}")
    return Need(
        held=trial.held,
        addresses=addresses(trial),
        control_plane=trial.backend is not Backend.PARALLELCLUSTER,
        region=trial.region,
        system=SYSTEM_INSTANCE.get(trial.backend, ""),
    )


def see(ask: "Asker", need: "Need", vpc: str | None) -> "Landscape":
    """The VPCs and zones there are; of one VPC more than of others, where it was named."""
    from muster.account.discovery.inquiry import heard
    from muster.account.discovery.landscape import landscape

    types = [each for each in (need.held.instance, need.system) if each]
    return heard(landscape(types, need.held.zone, vpc), ask)


def network_of(given: Given, seen: "Landscape", need: "Need") -> "AnyNetwork":
    """The network: chosen on a terminal, or by what fits.

    Raises:
        WrongInput: the VPC that was named does not fit.
    """
    from muster.account.discovery.fitting import chosen
    from muster.account.discovery.inquiry import Unusable

    try:
        if given.interactive and given.vpc is None and not given.new_vpc and seen.vpcs != ():
            from muster.cli.init_network_prompts import which_network

            return which_network(seen, need)
        return chosen(seen, need, given.vpc, new=given.new_vpc)
    except Unusable as fault:
        raise WrongInput(str(fault)) from None


def system_zone_of(zones: tuple[str, ...], offering: frozenset[str] | None) -> str:
    """The zone of the nodes beside the workers, where not all zones that they would be in offer their type."""
    from muster.fleet.derive.network import SPANNED_ZONES

    spanned = zones[:SPANNED_ZONES]
    if not offering or set(spanned) <= offering:
        return ""
    return next((each for each in zones if each in offering), "")


def _choices(given: Given, backend: "Backend", region: str, held: "Held", nodes: int, why_nodes: str) -> "Choices":
    """With a network of which only the zone is known."""
    from muster.fleet.new_stack.choices import Choices
    from muster.fleet.new_stack.held import Source
    from muster.fleet.new_stack.networks import NewNetwork

    return Choices(
        stack=given.stack,
        backend=backend,
        region=region,
        held=held,
        network=NewNetwork("10.0.0.0/16", (held.zone,)),
        nodes=nodes,
        as_of=given.as_of,
        why_region=f"where {held.name} is" if held.source is Source.AWS else "",
        why_nodes=why_nodes,
        api_from=given.api_from,
    )


def _offline(given: Given, region: str) -> Chosen:
    from muster.fleet.new_stack.assumed import assumed_network
    from muster.fleet.new_stack.choices import Backend

    if given.instance is None:
        raise WrongInput("--offline asks nobody of what type the instances are; give --instance, as in p5.48xlarge")
    held = assumed(given, region, given.instance, given.zone or f"{region}a", given.nodes or 1)
    backend = backend_of(given, held.kind)
    why = "asked for with --nodes" if given.nodes else "assumed"
    trial = _choices(given, backend, region, held, held.count, why)
    needed(trial)
    two = backend is not Backend.PARALLELCLUSTER
    return Chosen(replace(trial, network=assumed_network(held.zone, given.vpc, new=given.new_vpc, two_zones=two)))
