"""What `muster init --interactive` asks about the network."""

from dataclasses import replace
from typing import TYPE_CHECKING

from muster.cli.init_prompts import ask, filled_in, which_number, zone_in
from muster.cli.terminal import complain, one_line

if TYPE_CHECKING:
    from muster.account.discovery.landscape import Landscape
    from muster.account.discovery.need import Need
    from muster.fleet.new_stack.networks import AnyNetwork


def which_network(seen: "Landscape", need: "Need") -> "AnyNetwork":
    """One of the VPCs that fit, one to be made, or, where AWS does not say which fit, one whose ids are typed."""
    from muster.account.discovery.fitting import fits, planned

    if seen.vpcs is None:
        return _typed(seen, need, new=True)
    judged = fits(seen.vpcs, need)
    fitting = [each.network for each in judged if each.network is not None]
    open_ = any(not each.known for each in judged)
    complain("Where it stands:")
    for number, network in enumerate(fitting, start=1):
        complain(one_line(f"  {number}. {network.vpc}: {'; '.join(network.why_subnets.values())}"))
    complain(f"  {len(fitting) + 1}. a new VPC")
    if open_:
        complain(f"  {len(fitting) + 2}. another VPC, whose ids you say")
    for each in judged:
        if each.network is None:
            does_not = "does not fit" if each.known else "may fit"
            complain(one_line(f"     {each.vpc} {does_not}: {each.why_not}"))
    usual = 1 if len(fitting) == 1 else len(fitting) + 1
    number = which_number("Which one", len(fitting) + 1 + open_, usual)
    if number <= len(fitting):
        return replace(fitting[number - 1], why="chosen by you")
    return _typed(seen, need, new=False) if number > len(fitting) + 1 else planned(seen, need, "chosen by you")


def _typed(seen: "Landscape", need: "Need", *, new: bool) -> "AnyNetwork":
    """A VPC and its private subnets by their ids; or, where `new` says so, one to be made for nothing typed."""
    from muster.account.discovery.fitting import planned
    from muster.fleet.description.identifiers import SubnetId, VpcId
    from muster.fleet.new_stack.networks import ExistingNetwork

    usual = planned(seen, need, "chosen by you")
    otherwise = " (a new one: leave it empty)" if new else ""

    def read(said: str) -> str:
        return "" if new and not said.strip() else filled_in(said, VpcId)

    vpc = ask(f"VPC, as in vpc-0123456789abcdef0{otherwise}", read, "" if new else None)
    if not vpc:
        return usual
    private: dict[str, str] = {}
    for zone in usual.zones:
        where = zone
        if private:

            def another(said: str) -> str:
                return zone_in(said, need.region) if said not in private else zone_in("", need.region)

            where = ask("Zone of a further private subnet, which EKS wants", another, zone)
        private[where] = ask(f"Private subnet in {where}", lambda said: filled_in(said, SubnetId))
    ids = {each: seen.zones[each] for each in private if each in seen.zones}
    why = dict.fromkeys(private, "as you said: AWS did not say which routes and free addresses it has")
    return ExistingNetwork(vpc, private, why="as you said", why_subnets=why, zone_ids=ids)
