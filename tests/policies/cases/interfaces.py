"""Interfaces against cards, types and limits."""

from muster.config.description.node_group import Purpose
from muster.fleet.resources import Fleet
from muster.hardware.interfaces import Layout
from muster.unknown import UNKNOWN
from tests.factories import CLUSTER_REF, EFA_GROUP_REF, a_fleet, a_group, a_template, an_interface, interfaces
from tests.policies.case import case, cases


def p4d(*extra: object) -> Fleet:
    """EFA on all four cards, classic layout, and something more."""
    return a_fleet(
        a_template(instance="p4d.24xlarge", interfaces=(*interfaces("p4d.24xlarge", Layout.CLASSIC), *extra))
    )


cases(
    the_default_fleet=lambda: a_fleet(),
    classic_layout=lambda: p4d(),
    device_1_on_every_card_as_the_tools_ship_it=lambda: a_fleet(
        a_template(interfaces=(an_interface(), *[an_interface(card, 1, "efa-only") for card in range(32)]))
    ),
    a_plain_interface_beside_efa_on_the_same_card=lambda: a_fleet(
        a_template(interfaces=(*interfaces(), an_interface(4, 1)))
    ),
    two_efa_on_a_card=lambda: p4d(an_interface(2, 0, "efa-only")),
    two_efa_in_the_same_slot=lambda: p4d(an_interface(2, 1, "efa-only")),
    efa_and_plain_in_the_same_slot=lambda: p4d(an_interface(2, 1)),
    two_primaries=lambda: a_fleet(a_template("workers", "m5.8xlarge", interfaces=(an_interface(), an_interface()))),
    no_primary=lambda: a_fleet(a_template(interfaces=interfaces()[1:])),
)


@case
def an_efa_only_primary() -> Fleet:
    efa = [an_interface(card, 0 if card == 0 else 1, "efa-only") for card in range(4)]
    carrying = (an_interface(0, 0, "efa-only", groups=an_interface().security_groups), *efa[1:])
    return a_fleet(a_template(instance="p4d.24xlarge", interfaces=carrying))


cases(
    device_2_on_card_1=lambda: p4d(an_interface(1, 2)),
    device_2_on_card_0=lambda: p4d(an_interface(0, 2)),
    a_card_beyond_the_last=lambda: p4d(an_interface(4, 1, "efa-only")),
    three_interfaces_on_card_0_of_p5=lambda: a_fleet(a_template(interfaces=(*interfaces(), an_interface(0, 2)))),
    a_misspelt_type=lambda: p4d(an_interface(1, 0, "efaonly", groups=(EFA_GROUP_REF,))),
)


@case
def an_address_on_an_efa_only_interface() -> Fleet:
    first, second, *rest = interfaces()
    asking = an_interface(second.card, second.device, "efa-only", addresses=True)
    return a_fleet(a_template(interfaces=(first, asking, *rest)))


cases(
    an_address_on_a_plain_interface=lambda: a_fleet(
        a_template(interfaces=(an_interface(addresses=True), *interfaces()[1:]))
    ),
)


@case
def efa_on_the_first_card_of_p6_b300() -> Fleet:
    """What eksctl, terraform-aws-eks and Karpenter lay out there: EFA by number of cards."""
    efa = [an_interface(card, 0 if card == 0 else 1, "efa") for card in range(17)]
    return a_fleet(a_template(instance="p6-b300.48xlarge", interfaces=tuple(efa)))


cases(
    efa_on_a_type_without=lambda: a_fleet(a_template(instance="trn1.2xlarge", interfaces=(an_interface(0, 0, "efa"),))),
)


@case
def more_efa_than_fit_on_cards_not_yet_known() -> Fleet:
    extra = (an_interface(UNKNOWN, 1, "efa-only"), an_interface(UNKNOWN, 1, "efa-only"))
    return a_fleet(a_template(instance="g5.8xlarge", interfaces=(an_interface(), *extra)))


cases(
    four_of_32_efa=lambda: a_fleet(a_template(interfaces=interfaces()[:5])),
    a_training_group_without_efa=lambda: a_fleet(a_template(interfaces=()), a_group(purpose=Purpose.TRAINING)),
    an_inference_group_without_efa=lambda: a_fleet(a_template(interfaces=()), a_group(purpose=Purpose.INFERENCE)),
    security_groups_in_both_places=lambda: a_fleet(a_template(security_groups=(EFA_GROUP_REF,))),
    security_groups_in_both_places_not_yet_known=lambda: a_fleet(a_template(security_groups=UNKNOWN)),
    interfaces_not_yet_known=lambda: a_fleet(a_template(interfaces=UNKNOWN)),
    an_interface_type_not_yet_known=lambda: a_fleet(a_template(interfaces=(an_interface(type=UNKNOWN),))),
    an_instance_type_that_is_not_catalogued=lambda: a_fleet(
        a_template(instance="p9.48xlarge", interfaces=interfaces())
    ),
    an_instance_type_that_is_not_catalogued_without_interfaces=lambda: a_fleet(
        a_template(instance="p9.48xlarge", interfaces=())
    ),
    an_instance_type_that_is_not_catalogued_with_a_primary_interface=lambda: a_fleet(
        a_template(instance="p9.48xlarge", interfaces=(an_interface(),))
    ),
    # Told once: the index is wrong, whatever the number.
    device_2_where_two_interfaces_are_the_most=lambda: a_fleet(
        a_template(interfaces=(*interfaces(), an_interface(1, 1), an_interface(1, 2)))
    ),
    two_interfaces_on_a_card_whose_limit_no_source_states=lambda: a_fleet(
        a_template(instance="p6e-gb200.36xlarge", interfaces=(*interfaces("p6e-gb200.36xlarge"), an_interface(1, 1)))
    ),
    one_interface_on_each_card_whose_limit_no_source_states=lambda: a_fleet(a_template(instance="p6e-gb200.36xlarge")),
)


@case
def two_interfaces_on_a_card_that_is_not_there() -> Fleet:
    beyond = (an_interface(17, 0), an_interface(17, 1))
    every = (*interfaces("p6e-gb200.36xlarge"), *beyond)
    return a_fleet(a_template(instance="p6e-gb200.36xlarge", interfaces=every))


cases(
    as_many_efa_as_fit_on_cards_not_yet_known=lambda: a_fleet(
        a_template(instance="g5.8xlarge", interfaces=(an_interface(), an_interface(UNKNOWN, 1, "efa-only")))
    ),
    perhaps_a_primary=lambda: a_fleet(
        a_template(interfaces=(an_interface(UNKNOWN, UNKNOWN, groups=(CLUSTER_REF,)), *interfaces()[1:]))
    ),
    security_groups_at_the_top_alone=lambda: a_fleet(
        a_template(instance="m5.8xlarge", interfaces=(), security_groups=(CLUSTER_REF,))
    ),
    interfaces_not_yet_known_and_groups_at_the_top=lambda: a_fleet(
        a_template(interfaces=UNKNOWN, security_groups=(CLUSTER_REF,))
    ),
)
