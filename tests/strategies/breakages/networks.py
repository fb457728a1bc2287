"""Ways to break a network, and where groups are in it."""

from hypothesis import strategies as st

from muster.hardware.zones import CONTROL_PLANE_REFUSED
from tests.factories import DROP
from tests.strategies.breakages.breakage import Places, found_at
from tests.strategies.described import REGIONS, WORKERS, Described, made_up
from tests.strategies.readings import held_by, kind_of


def efa_everywhere(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.zone"
    # A file system in their zone would then be in nobody's.
    return legal.edit({at: DROP, "storage": DROP}), found_at(at)


def in_public_subnets(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.subnets"
    return legal.edit({at: "public"}), found_at(at)


def subnet_gives_public_addresses(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    broken = legal.learn("subnets", legal.network["private"][legal.workers_zone], mapPublicIpOnLaunch=True)
    return broken, found_at(f"groups.{WORKERS}.subnets")


def one_zone(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return legal, found_at("network.existing.private")


def one_zone_left(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    zone = draw(st.sampled_from(legal.zones))
    refused = next(each for each in CONTROL_PLANE_REFUSED if each.startswith(REGIONS[legal.region]))
    return legal.edit({f"network.existing.zone-ids.{zone}": refused}), found_at("network.existing.private")


def subnet_elsewhere(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    tier = draw(st.sampled_from([tier for tier in ("private", "public") if legal.network[tier]]))
    zone, other = draw(st.permutations(sorted(legal.network[tier])))[:2]
    broken = legal.learn("subnets", legal.network[tier][zone], zone=other)
    return broken, found_at(f"network.existing.{tier}.{zone}")


def zone_of_another_region(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = "network.existing.public.ap-south-1a"
    return legal.edit({at: made_up("subnet", 99)}), found_at(at)


def zone_to_make_elsewhere(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = "network.create.zones"
    zones = legal.document["network"]["create"]["zones"]
    return legal.edit({at: [*zones, "ap-south-1a"]}), found_at(at)


def zone_without_subnet(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, nowhere = f"groups.{WORKERS}.zone", f"{legal.region}k"
    if not held_by(legal.workers):
        return legal.edit({at: nowhere}), found_at(at)
    of_capacity = f"groups.{WORKERS}.capacity.{kind_of(legal.workers)}.zone"
    return legal.edit({at: nowhere, of_capacity: nowhere}), found_at(of_capacity)
