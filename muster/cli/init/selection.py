"""Chooses Region, capacity, backend, node count and network of a new stack, from answers, options or prompts."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from muster.account.query import Answer, Inquiry
from muster.blueprint.derive.network import SPANNED_ZONES
from muster.cli.exits import WrongInput
from muster.cli.init.account_networks import AccountNetworks, query_networks
from muster.cli.init.choices import (
    AnyNetwork,
    Backend,
    CapacityKind,
    CapacitySource,
    Choices,
    NewNetwork,
    ReservedCapacity,
    placeholder_capacity,
    placeholder_network,
)
from muster.cli.init.inquiry import UnansweredInquiry, Unusable, explain_unanswered, run_inquiry
from muster.cli.init.network_choice import NetworkNeeds, select_network
from muster.cli.init.options import InitOptions
from muster.cli.init.stack_document import SYSTEM_INSTANCE, address_count, describe
from muster.config.stack_checks import region_problem
from muster.hardware.catalogue import UnknownInstance
from muster.hardware.zones import region_of as region_of_zone
from muster.terminal import complain

if TYPE_CHECKING:
    from muster.account.query_runner import QueryRunner

OFFLINE = "; or give --offline, which does not query AWS and writes placeholders"


@contextmanager
def open_account_for_init(
    given: InitOptions, region: str, earlier: "QueryRunner | None" = None
) -> Iterator["QueryRunner"]:
    """The query runner of the account.

    Raises:
        WrongInput: there are no credentials, or a given resource cannot be used.
    """
    from muster.cli.account import advice, open_account

    try:
        with open_account(region, given.profile, "querying AWS", earlier=earlier, instead=OFFLINE) as ask:
            yield ask
    except UnansweredInquiry as fault:
        what = advice([fault.answer] if fault.answer else [], "muster init --print-iam-policy", region)
        raise WrongInput(str(fault), *what) from None
    except Unusable as fault:
        raise WrongInput(str(fault)) from None


def print_unanswered(unanswered: Iterable[Answer]) -> None:
    """Prints on stderr which queries have no answer, and the consequences."""
    complain(*explain_unanswered(unanswered))


def find_capacity(given: InitOptions, region: str) -> "tuple[ReservedCapacity, QueryRunner]":
    """The capacity by its id, or chosen at a prompt if no option gives it."""
    from muster.cli.init.account_capacity import all_capacity
    from muster.cli.init.prompts import prompt_capacity

    if given.on_demand:
        with open_account_for_init(given, region) as ask:
            return _on_demand(given, region, ask), ask
    if given.reserved is not None:
        with open_account_for_init(given, region) as ask:
            return _capacity_by_id(given, region, *given.reserved, ask), ask
    with open_account_for_init(given, region) as ask:
        known, unanswered = run_inquiry(all_capacity(given.as_of), ask)
    print_unanswered(unanswered)
    chosen = prompt_capacity(known, region, all_known=not unanswered)
    if not isinstance(chosen, str):
        return chosen, ask
    with open_account_for_init(given, region, ask) as ask:
        return _capacity_by_id(given, region, "training-plan" if chosen.startswith("arn:") else None, chosen, ask), ask


def _on_demand(given: InitOptions, region: str, ask: "QueryRunner") -> ReservedCapacity:
    """On-demand instances in the zone of the option. Default: the first zone that offers them, as AWS returns it."""
    assert given.instance is not None, "the options were checked"
    if given.zone is not None:
        return offline_capacity(given, region, given.instance, given.zone, given.nodes or 1)
    offered = run_inquiry(query_networks([given.instance], ""), ask).offered.get(given.instance, frozenset())
    if not offered:
        raise WrongInput(f"AWS lists no zone of {region} that offers {given.instance}; give --zone, or --region")
    chosen = offline_capacity(given, region, given.instance, min(offered), given.nodes or 1)
    return replace(chosen, source=CapacitySource.AWS)


def _capacity_by_id(given: InitOptions, region: str, key: str | None, id: str, ask: "QueryRunner") -> ReservedCapacity:
    """The capacity with an id; if AWS does not answer, the user enters its details at prompts."""
    try:
        return run_inquiry(_inquiry(given, region, key, id), ask)
    except UnansweredInquiry as fault:
        if not given.interactive:
            raise
        from muster.cli.init.prompts import prompt_capacity_details

        complain(f"{str(fault).partition(';')[0]}; please enter its details")
        return prompt_capacity_details(CapacityKind(key) if key else None, id, region)


def _inquiry(given: InitOptions, region: str, key: str | None, id: str) -> Inquiry[ReservedCapacity]:
    from muster.cli.init import account_capacity

    kind = CapacityKind(key) if key else None
    if kind is CapacityKind.TRAINING_PLAN:
        return account_capacity.find_training_plan(id, region)
    return account_capacity.find_reservation(id, kind, given.as_of, region)


def choose_backend(given: InitOptions, kind: CapacityKind) -> Backend:
    """The given backend, else one that can use this kind of capacity.

    Raises:
        WrongInput: the given backend cannot use it.
    """
    plan = kind is CapacityKind.TRAINING_PLAN
    usual = Backend.HYPERPOD if plan else Backend.EKS
    backend = Backend(given.backend) if given.backend else usual
    if misfit := backend_mismatch(backend, kind):
        raise WrongInput(f"--backend {backend.value}: {misfit}; leave out --backend to use {usual.value}{_other(kind)}")
    if not backend.has_kubernetes and given.api_from:
        raise WrongInput("--api-from is for a Kubernetes API, but a Slurm cluster has none; leave it out")
    return backend


def _other(kind: CapacityKind) -> str:
    """The alternative option for a user who wants HyperPod; empty if it is already given."""
    return "" if kind is CapacityKind.TRAINING_PLAN else ", or give --training-plan ARN"


def backend_mismatch(backend: Backend, kind: CapacityKind) -> str:
    """Why a backend cannot use a kind of capacity; empty if it can."""
    if kind is CapacityKind.TRAINING_PLAN and not backend.in_hyperpod:
        return "only HyperPod can use a training plan"
    if kind not in {CapacityKind.TRAINING_PLAN, CapacityKind.ON_DEMAND} and backend.in_hyperpod:
        return f"HyperPod can use only a training plan, not a {kind.words} of EC2"
    return ""


def choose_node_count(given: InitOptions, reserved: ReservedCapacity) -> tuple[int, str]:
    """The number of nodes, and the reason.

    Raises:
        WrongInput: the given number is more than the capacity holds.
    """
    if given.nodes is not None:
        if given.nodes > reserved.count:
            raise WrongInput(
                f"--nodes is {given.nodes}, but {reserved.name} holds {reserved.count}; give at most {reserved.count}"
            )
        return given.nodes, "given with --nodes"
    free = reserved.available
    if free is None or free == reserved.count or not (0 < free < reserved.count):
        taken = free == 0 and not (reserved.starts is not None and not reserved.begun)
        nodes, why = (
            reserved.count,
            "all instances of the capacity, although none is free now" if taken else "all instances of the capacity",
        )
    else:
        nodes, why = free, f"the instances that are free now, of {reserved.count}"
    if given.interactive:
        from muster.cli.init.prompts import prompt_node_count

        return prompt_node_count(reserved, nodes), "entered by you"
    return nodes, why


def offline_capacity(given: InitOptions, region: str, instance: str, zone: str, count: int) -> ReservedCapacity:
    """The capacity with --offline.

    Raises:
        WrongInput: the zone is in another Region.
    """
    if region_of_zone(zone) != region:
        raise WrongInput(f"--zone {zone} is not in {region}; give a zone of {region}, or another --region")
    kind, named = given.reserved or (CapacityKind.ON_DEMAND.value, "")
    options = {"--instance": given.instance, "--zone": given.zone, "--nodes": given.nodes}
    typed = frozenset(option for option, value in options.items() if value is not None)
    return placeholder_capacity(CapacityKind(kind), named, instance, zone, count, given.as_of, typed)


@dataclass(frozen=True, slots=True)
class ChosenStack:
    """The choices, and the query runner; None with --offline."""

    choices: Choices
    landscape: AccountNetworks | None = None
    ask: "QueryRunner | None" = None


def choose_region(given: InitOptions, otherwise: str | None = None) -> str:
    """The Region: that of the option, of the training plan, `otherwise`, or of the session.

    Raises:
        WrongInput: none is set, or the option and the plan differ.
    """
    own = given.training_plan.split(":")[3] if given.training_plan else None
    if own and given.region and own != given.region:
        raise WrongInput(f"--region is {given.region}, but the training plan is in {own}; leave out --region")
    region = given.region or own or otherwise
    if not region:
        from muster.account.session import default_region  # loads botocore

        region = default_region(given.profile)
    if not region and given.interactive:
        from muster.cli.init.prompts import prompt_region

        region = prompt_region()
    if not region:
        raise WrongInput("the Region is not set; give --region, or set AWS_REGION or the profile's region")
    if wrong := region_problem(region):
        raise WrongInput(f"{wrong} (set by AWS_REGION or the profile; --region overrides it)")
    return region


def choose(given: InitOptions) -> ChosenStack:
    """The choices of a new stack.

    Raises:
        WrongInput: something cannot be chosen; the message has the option to give.
    """
    region = choose_region(given)
    if given.reserved is not None:
        choose_backend(given, CapacityKind(given.reserved[0]))
    if given.offline:
        return _offline(given, region)
    reserved, ask = find_capacity(given, region)
    backend = choose_backend(given, reserved.kind)
    nodes, why_nodes = choose_node_count(given, reserved)
    with open_account_for_init(given, region, ask) as ask:
        trial = _choices(given, backend, region, reserved, nodes, why_nodes)
        need = network_needs(trial)
        seen = list_networks(ask, need, given.vpc)
    print_unanswered(seen.unanswered)
    network = choose_network(given, seen, need)
    api_from = given.api_from
    if given.interactive and not api_from and backend.has_kubernetes:
        from muster.cli.init.prompts import prompt_api_networks

        api_from = prompt_api_networks()
    system_zone = choose_system_zone(network.zones, seen.offered.get(need.system))
    made = replace(trial, network=network, api_from=api_from, system_zone=system_zone, account=seen.account)
    return ChosenStack(made, seen, ask)


def network_needs(trial: Choices) -> NetworkNeeds:
    """The requirements of the choices for the network.

    Raises:
        WrongInput: no group can have that type.
    """
    try:
        made, faults = describe(trial)
    except UnknownInstance as fault:
        raise WrongInput(f"Muster cannot create a stack for {trial.reserved.name}: {fault}") from None
    if made is None:
        problems = "; ".join(f"{each.got}: {each.remedy}" if each.remedy else each.got for each in faults)
        raise WrongInput(f"Muster cannot create a stack for {trial.reserved.name}: {problems}")
    return NetworkNeeds(
        reserved=trial.reserved,
        addresses=address_count(trial),
        control_plane=trial.backend.has_kubernetes,
        region=trial.region,
        system=SYSTEM_INSTANCE.get(trial.backend, ""),
    )


def list_networks(ask: "QueryRunner", need: NetworkNeeds, vpc: str | None) -> AccountNetworks:
    """The VPCs and zones of the account; with more details of a given VPC."""
    types = [each for each in (need.reserved.instance, need.system) if each]
    return run_inquiry(query_networks(types, need.reserved.zone, vpc), ask)


def choose_network(given: InitOptions, seen: AccountNetworks, need: NetworkNeeds) -> AnyNetwork:
    """The network: chosen on a terminal, or by the networks that fit.

    Raises:
        WrongInput: the given VPC does not fit.
    """
    try:
        if given.interactive and given.vpc is None and not given.new_vpc and seen.vpcs != ():
            from muster.cli.init.prompts import prompt_network

            return prompt_network(seen, need)
        return select_network(seen, need, given.vpc, new=given.new_vpc)
    except Unusable as fault:
        raise WrongInput(str(fault)) from None


def choose_system_zone(zones: tuple[str, ...], offering: frozenset[str] | None) -> str:
    """The zone of the system nodes, if one of the zones that they would span does not offer their type; else empty."""
    spanned = zones[:SPANNED_ZONES]
    if not offering or set(spanned) <= offering:
        return ""
    return next((each for each in zones if each in offering), "")


def _choices(
    given: InitOptions, backend: Backend, region: str, reserved: ReservedCapacity, nodes: int, why_nodes: str
) -> Choices:
    """The choices with a network of which only the zone is known."""
    return Choices(
        stack=given.stack,
        backend=backend,
        region=region,
        reserved=reserved,
        network=NewNetwork("10.0.0.0/16", (reserved.zone,)),
        nodes=nodes,
        as_of=given.as_of,
        why_region=f"the Region of {reserved.name}" if reserved.source is CapacitySource.AWS else "",
        why_nodes=why_nodes,
        api_from=given.api_from,
        additions=given.additions,
    )


def _offline(given: InitOptions, region: str) -> ChosenStack:
    if given.instance is None:
        raise WrongInput("--offline does not query AWS for the instance type; give --instance, as in p5.48xlarge")
    reserved = offline_capacity(given, region, given.instance, given.zone or f"{region}a", given.nodes or 1)
    backend = choose_backend(given, reserved.kind)
    why = "given with --nodes" if given.nodes else "assumed"
    trial = _choices(given, backend, region, reserved, reserved.count, why)
    network_needs(trial)
    network = placeholder_network(reserved.zone, given.vpc, new=given.new_vpc, two_zones=backend.has_kubernetes)
    system_zone = network.zones[0] if network.zones[0] != reserved.zone else ""
    return ChosenStack(replace(trial, network=network, system_zone=system_zone))
