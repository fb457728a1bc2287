"""What `muster init` makes a stack for: as AWS says, as somebody says on a terminal, or as nobody does."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from muster.cli.exits import WrongInput
from muster.cli.init_given import Given

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muster.account.answer import Answer
    from muster.account.ask import Inquiry
    from muster.account.asking import Asker
    from muster.fleet.new_stack.choices import Backend
    from muster.fleet.new_stack.held import Held, Kind

OFFLINE = "; or give --offline, which asks AWS nothing and leaves placeholders"


@contextmanager
def asking(given: Given, region: str, earlier: "Asker | None" = None) -> Iterator["Asker"]:
    """Who asks the account.

    Raises:
        WrongInput: there are no credentials; or what was named cannot be had.
    """
    from muster.account.discovery.inquiry import Unsaid, Unusable
    from muster.cli.account import asker
    from muster.cli.silence import advice
    from muster.cli.terminal import one_line

    try:
        with asker(region, given.profile, "asking AWS what there is", earlier=earlier, instead=OFFLINE) as ask:
            yield ask
    except Unsaid as fault:
        what = advice([fault.answer] if fault.answer else [], "muster init --print-iam-policy", region)
        raise WrongInput("\n".join(map(one_line, (str(fault), *what)))) from None
    except Unusable as fault:
        raise WrongInput(one_line(str(fault))) from None


def tell(unanswered: "Iterable[Answer]") -> None:
    """Says on stderr what AWS did not answer, and what that means."""
    from muster.account.discovery.consequences import consequences
    from muster.cli.terminal import complain, one_line

    complain(*(one_line(each) for each in consequences(unanswered)))


def find_held(given: Given, region: str) -> "tuple[Held, Asker]":
    """What holds the instances, as AWS says; chosen on a terminal where nothing was named."""
    from muster.account.discovery.everything import everything
    from muster.account.discovery.inquiry import heard
    from muster.cli.init_prompts import which_held

    if given.held is not None:
        with asking(given, region) as ask:
            return _named(given, region, *given.held, ask), ask
    with asking(given, region) as ask:
        known, unanswered = heard(everything(given.as_of), ask)
    tell(unanswered)
    chosen = which_held(known, region, all_known=not unanswered)
    if not isinstance(chosen, str):
        return chosen, ask
    with asking(given, region, ask) as ask:
        return _named(given, region, "training-plan" if chosen.startswith("arn:") else None, chosen, ask), ask


def _named(given: Given, region: str, key: str | None, id: str, ask: "Asker") -> "Held":
    """One by its id; described on a terminal, where AWS does not say what it is."""
    from muster.account.discovery.inquiry import Unsaid, heard

    try:
        return heard(_inquiry(given, region, key, id), ask)
    except Unsaid as fault:
        if not given.interactive:
            raise
        from muster.cli.init_prompts import described_held
        from muster.cli.terminal import complain, one_line
        from muster.fleet.new_stack.held import Kind

        complain(one_line(f"{str(fault).partition(';')[0]}; so please say what it is"))
        return described_held(Kind(key) if key else None, id, region)


def _inquiry(given: Given, region: str, key: str | None, id: str) -> "Inquiry[Held]":
    from muster.account.discovery import reservations, training_plans
    from muster.fleet.new_stack.held import Kind

    kind = Kind(key) if key else None
    if kind is Kind.TRAINING_PLAN:
        return training_plans.training_plan(id, region)
    return reservations.reservation(id, kind, given.as_of, region)


def backend_of(given: Given, kind: "Kind") -> "Backend":
    """The backend: the one given, else one that takes this kind of capacity.

    Raises:
        WrongInput: the one given does not.
    """
    from muster.fleet.new_stack.choices import Backend
    from muster.fleet.new_stack.held import Kind

    plan = kind is Kind.TRAINING_PLAN
    usual = Backend.HYPERPOD if plan else Backend.EKS
    backend = Backend(given.backend) if given.backend else usual
    if misfit := misfit_of(backend, kind):
        raise WrongInput(f"--backend {backend.value}: {misfit}; leave --backend away, for {usual.value}{_other(kind)}")
    if backend is Backend.PARALLELCLUSTER and given.api_from:
        raise WrongInput("--api-from is for a Kubernetes API, and ParallelCluster has none; leave it away")
    return backend


def _other(kind: "Kind") -> str:
    """What else who wants HyperPod may give."""
    from muster.fleet.new_stack.held import Kind

    return "" if kind is Kind.TRAINING_PLAN else ", or give --training-plan ARN"


def misfit_of(backend: "Backend", kind: "Kind") -> str:
    """Why a backend does not take such capacity; nothing where it does."""
    from muster.fleet.new_stack.choices import Backend
    from muster.fleet.new_stack.held import Kind

    if kind is Kind.TRAINING_PLAN and backend is not Backend.HYPERPOD:
        return "a training plan is for HyperPod"
    if kind is not Kind.TRAINING_PLAN and backend is Backend.HYPERPOD:
        return f"HyperPod takes training plans, and no {kind.words} of EC2"
    return ""


def nodes_of(given: Given, held: "Held") -> tuple[int, str]:
    """How many nodes, and why.

    Raises:
        WrongInput: more than there are.
    """
    if given.nodes is not None:
        if given.nodes > held.count:
            raise WrongInput(f"--nodes is {given.nodes}, and {held.name} holds {held.count}; give {held.count} at most")
        return given.nodes, "asked for with --nodes"
    free = held.available
    if free is None or free == held.count or not (0 < free < held.count):
        taken = free == 0 and not (held.starts is not None and not held.begun)
        nodes, why = held.count, "all that it holds, though none of them is free now" if taken else "all that it holds"
    else:
        nodes, why = free, f"what is free now of {held.count}"
    if given.interactive:
        from muster.cli.init_prompts import how_many

        return how_many(held, nodes), "as you said"
    return nodes, why


def assumed(given: Given, region: str, instance: str, zone: str, count: int) -> "Held":
    """What holds the instances, where nobody is asked.

    Raises:
        WrongInput: the zone is in another Region.
    """
    from muster.fleet.new_stack.assumed import assumed_held
    from muster.fleet.new_stack.held import Kind
    from muster.fleet.zones import region_of as region_of_zone

    if region_of_zone(zone) != region:
        raise WrongInput(f"--zone {zone} is not in {region}; give one that is, or another --region")
    assert given.held is not None, "the options were judged"
    kind, named = given.held
    options = {"--instance": given.instance, "--zone": given.zone, "--nodes": given.nodes}
    typed = frozenset(option for option, value in options.items() if value is not None)
    return assumed_held(Kind(kind), named, instance, zone, count, given.as_of, typed)
