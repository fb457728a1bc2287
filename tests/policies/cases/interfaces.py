"""Interfaces against cards, types and limits."""

from muster.fleet.resources import Fleet
from muster.hardware.interfaces import Layout
from muster.unknown import UNKNOWN
from tests.factories import CLUSTER_REF, EFA_GROUP_REF, a_fleet, a_template, an_interface, interfaces
from tests.policies.case import case, cases


def p4d(*extra: object) -> Fleet:
    """EFA on all four cards, classic layout, and something more."""
    return a_fleet(
        a_template(instance="p4d.24xlarge", interfaces=(*interfaces("p4d.24xlarge", Layout.CLASSIC), *extra))
    )


cases(
    two_efa_on_a_card=lambda: p4d(an_interface(2, 0, "efa-only")),
    efa_and_plain_in_the_same_slot=lambda: p4d(an_interface(2, 1)),
    no_primary=lambda: a_fleet(a_template(interfaces=interfaces()[1:])),
)


@case
def an_efa_only_primary() -> Fleet:
    efa = [an_interface(card, 0 if card == 0 else 1, "efa-only") for card in range(4)]
    carrying = (an_interface(0, 0, "efa-only", groups=an_interface().security_groups), *efa[1:])
    return a_fleet(a_template(instance="p4d.24xlarge", interfaces=carrying))


cases(
    a_card_beyond_the_last=lambda: p4d(an_interface(4, 1, "efa-only")),
    three_interfaces_on_card_0_of_p5=lambda: a_fleet(a_template(interfaces=(*interfaces(), an_interface(0, 2)))),
)


@case
def an_address_on_an_efa_only_interface() -> Fleet:
    first, second, *rest = interfaces()
    asking = an_interface(second.card, second.device, "efa-only", addresses=True)
    return a_fleet(a_template(interfaces=(first, asking, *rest)))


@case
def efa_on_the_first_card_of_p6_b300() -> Fleet:
    """What eksctl, terraform-aws-eks and Karpenter lay out there: EFA by number of cards."""
    efa = [an_interface(card, 0 if card == 0 else 1, "efa") for card in range(17)]
    return a_fleet(a_template(instance="p6-b300.48xlarge", interfaces=tuple(efa)))


cases(
    four_of_32_efa=lambda: a_fleet(a_template(interfaces=interfaces()[:5])),
    security_groups_in_both_places=lambda: a_fleet(a_template(security_groups=(EFA_GROUP_REF,))),
    # Told once: the index is wrong, whatever the number.
    device_2_where_two_interfaces_are_the_most=lambda: a_fleet(
        a_template(interfaces=(*interfaces(), an_interface(1, 1), an_interface(1, 2)))
    ),
)


cases(
    interfaces_not_yet_known_and_groups_at_the_top=lambda: a_fleet(
        a_template(interfaces=UNKNOWN, security_groups=(CLUSTER_REF,))
    ),
)
