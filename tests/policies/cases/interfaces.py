"""Interfaces against cards, types and limits."""

from muster.config.description.node_group import Purpose
from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from muster.hardware.interfaces import Layout
from tests.factories import CLUSTER_REF, EFA_GROUP_REF, a_fleet, a_group, a_template, an_interface, interfaces
from tests.policies.case import case

AT = "groups.workers.interfaces"
WORKERS = "groups.workers"


def p4d(*extra: object) -> Fleet:
    """EFA on all four cards, classic layout, and something more."""
    return a_fleet(
        a_template(instance="p4d.24xlarge", interfaces=(*interfaces("p4d.24xlarge", Layout.CLASSIC), *extra))
    )


@case()
def the_default_fleet() -> Fleet:
    return a_fleet()


@case()
def classic_layout() -> Fleet:
    return p4d()


@case()
def device_1_on_every_card_as_the_tools_ship_it() -> Fleet:
    efa = [an_interface(card, 1, "efa-only") for card in range(32)]
    return a_fleet(a_template(interfaces=(an_interface(), *efa)))


@case()
def a_plain_interface_beside_efa_on_the_same_card() -> Fleet:
    return a_fleet(a_template(interfaces=(*interfaces(), an_interface(4, 1))))


@case(f"one-efa-per-card @ {AT}")
def two_efa_on_a_card() -> Fleet:
    return p4d(an_interface(2, 0, "efa-only"))


@case(f"one-efa-per-card @ {AT}")
def two_efa_in_the_same_slot() -> Fleet:
    return p4d(an_interface(2, 1, "efa-only"))


@case(f"interface-slot-used-once @ {AT}")
def efa_and_plain_in_the_same_slot() -> Fleet:
    return p4d(an_interface(2, 1))


@case(f"interface-slot-used-once @ {AT}")
def two_primaries() -> Fleet:
    return a_fleet(a_template("workers", "m5.8xlarge", interfaces=(an_interface(), an_interface())))


@case(f"primary-interface-present @ {AT}")
def no_primary() -> Fleet:
    return a_fleet(a_template(interfaces=interfaces()[1:]))


@case(f"primary-interface-not-efa-only @ {AT}")
def an_efa_only_primary() -> Fleet:
    efa = [an_interface(card, 0 if card == 0 else 1, "efa-only") for card in range(4)]
    carrying = (an_interface(0, 0, "efa-only", groups=an_interface().security_groups), *efa[1:])
    return a_fleet(a_template(instance="p4d.24xlarge", interfaces=carrying))


@case(f"interface-device-index @ {AT}")
def device_2_on_card_1() -> Fleet:
    return p4d(an_interface(1, 2))


@case()
def device_2_on_card_0() -> Fleet:
    return p4d(an_interface(0, 2))


@case(f"interface-card-exists @ {AT}")
def a_card_beyond_the_last() -> Fleet:
    return p4d(an_interface(4, 1, "efa-only"))


@case(f"interfaces-per-card @ {AT}")
def three_interfaces_on_card_0_of_p5() -> Fleet:
    return a_fleet(a_template(interfaces=(*interfaces(), an_interface(0, 2))))


@case(f"interface-type-known @ {AT}")
def a_misspelt_type() -> Fleet:
    return p4d(an_interface(1, 0, "efaonly", groups=(EFA_GROUP_REF,)))


@case(f"efa-only-without-address @ {AT}")
def an_address_on_an_efa_only_interface() -> Fleet:
    first, second, *rest = interfaces()
    asking = an_interface(second.card, second.device, "efa-only", addresses=True)
    return a_fleet(a_template(interfaces=(first, asking, *rest)))


@case()
def an_address_on_a_plain_interface() -> Fleet:
    return a_fleet(a_template(interfaces=(an_interface(addresses=True), *interfaces()[1:])))


@case(f"efa-fits-instance @ {AT}")
def efa_on_the_first_card_of_p6_b300() -> Fleet:
    """What eksctl, terraform-aws-eks and Karpenter lay out there: EFA by number of cards."""
    efa = [an_interface(card, 0 if card == 0 else 1, "efa") for card in range(17)]
    return a_fleet(a_template(instance="p6-b300.48xlarge", interfaces=tuple(efa)))


@case(f"efa-fits-instance @ {AT}")
def efa_on_a_type_without() -> Fleet:
    return a_fleet(a_template(instance="trn1.2xlarge", interfaces=(an_interface(0, 0, "efa"),)))


@case(
    f"efa-fits-instance @ {AT}",
    unjudged=tuple(
        f"{rule} @ {WORKERS}"
        for rule in (
            "one-efa-per-card",
            "interface-slot-used-once",
            "interface-device-index",
            "interface-card-exists",
            "interfaces-per-card",
            "efa-fits-instance",
            "max-pods-within-addresses",
            "subnet-holds-nodes",
        )
    ),
)
def more_efa_than_fit_on_cards_not_yet_known() -> Fleet:
    extra = (an_interface(UNKNOWN, 1, "efa-only"), an_interface(UNKNOWN, 1, "efa-only"))
    return a_fleet(a_template(instance="g5.8xlarge", interfaces=(an_interface(), *extra)))


@case(f"efa-used-fully @ {AT}")
def four_of_32_efa() -> Fleet:
    return a_fleet(a_template(interfaces=interfaces()[:5]))


@case(f"efa-used-fully @ {AT}", f"group-has-its-device-plugin @ {WORKERS}.instance")
def a_training_group_without_efa() -> Fleet:
    return a_fleet(a_template(interfaces=()), a_group(purpose=Purpose.TRAINING))


@case(f"group-has-its-device-plugin @ {WORKERS}.instance")
def an_inference_group_without_efa() -> Fleet:
    return a_fleet(a_template(interfaces=()), a_group(purpose=Purpose.INFERENCE))


@case(f"security-groups-on-interfaces @ {WORKERS}")
def security_groups_in_both_places() -> Fleet:
    return a_fleet(a_template(security_groups=(EFA_GROUP_REF,)))


@case(f"security-groups-on-interfaces @ {WORKERS}")
def security_groups_in_both_places_not_yet_known() -> Fleet:
    return a_fleet(a_template(security_groups=UNKNOWN))


@case(
    unjudged=(
        "nodes-without-public-address @ groups.workers",
        *tuple(
            f"{rule} @ {WORKERS}"
            for rule in (
                "one-efa-per-card",
                "primary-interface-present",
                "primary-interface-not-efa-only",
                "interface-slot-used-once",
                "interface-device-index",
                "interface-card-exists",
                "interfaces-per-card",
                "interface-type-known",
                "efa-only-without-address",
                "efa-fits-instance",
                "efa-single-zone",
                "several-interfaces-no-public-ip",
                "several-interfaces-private-subnets",
                "node-template-reaches-control-plane",
                "efa-used-fully",
                "efa-security-groups-allow-themselves",
                "vpc-cni-supports-efa",
                "max-pods-within-addresses",
                "subnet-holds-nodes",
            )
        ),
    )
)
def interfaces_not_yet_known() -> Fleet:
    return a_fleet(a_template(interfaces=UNKNOWN))


@case(
    unjudged=tuple(
        f"{rule} @ {WORKERS}"
        for rule in (
            "one-efa-per-card",
            "primary-interface-not-efa-only",
            "interface-type-known",
            "efa-only-without-address",
            "efa-fits-instance",
            "efa-single-zone",
            "efa-used-fully",
            "efa-security-groups-allow-themselves",
            "vpc-cni-supports-efa",
            "max-pods-within-addresses",
            "subnet-holds-nodes",
        )
    )
)
def an_interface_type_not_yet_known() -> Fleet:
    return a_fleet(a_template(interfaces=(an_interface(type=UNKNOWN),)))


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        *tuple(
            f"{rule} @ {WORKERS}"
            for rule in ("interface-card-exists", "interfaces-per-card", "efa-fits-instance", "efa-used-fully")
        ),
        f"image-fits-hardware @ {WORKERS}",
        f"max-pods-within-addresses @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    ),
)
def an_instance_type_that_is_not_catalogued() -> Fleet:
    return a_fleet(a_template(instance="p9.48xlarge", interfaces=interfaces()))


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        f"image-fits-hardware @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    ),
)
def an_instance_type_that_is_not_catalogued_without_interfaces() -> Fleet:
    return a_fleet(a_template(instance="p9.48xlarge", interfaces=()))


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        f"image-fits-hardware @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    ),
)
def an_instance_type_that_is_not_catalogued_with_a_primary_interface() -> Fleet:
    return a_fleet(a_template(instance="p9.48xlarge", interfaces=(an_interface(),)))


@case(f"interface-device-index @ {AT}")
def device_2_where_two_interfaces_are_the_most() -> Fleet:
    """Told once: the index is wrong, whatever the number."""
    return a_fleet(a_template(interfaces=(*interfaces(), an_interface(1, 1), an_interface(1, 2))))


@case(unjudged=(f"interfaces-per-card @ {WORKERS}", f"subnet-holds-nodes @ {WORKERS}"))
def two_interfaces_on_a_card_whose_limit_no_source_states() -> Fleet:
    template = a_template(
        instance="p6e-gb200.36xlarge", interfaces=(*interfaces("p6e-gb200.36xlarge"), an_interface(1, 1))
    )
    return a_fleet(template)


@case(unjudged=(f"subnet-holds-nodes @ {WORKERS}",))
def one_interface_on_each_card_whose_limit_no_source_states() -> Fleet:
    return a_fleet(a_template(instance="p6e-gb200.36xlarge"))


@case(f"interface-card-exists @ {AT}", unjudged=(f"subnet-holds-nodes @ {WORKERS}",))
def two_interfaces_on_a_card_that_is_not_there() -> Fleet:
    beyond = (an_interface(17, 0), an_interface(17, 1))
    every = (*interfaces("p6e-gb200.36xlarge"), *beyond)
    return a_fleet(a_template(instance="p6e-gb200.36xlarge", interfaces=every))


@case(
    unjudged=tuple(
        f"{rule} @ {WORKERS}"
        for rule in (
            "one-efa-per-card",
            "interface-slot-used-once",
            "interface-device-index",
            "interface-card-exists",
            "interfaces-per-card",
            "efa-fits-instance",
            "max-pods-within-addresses",
            "subnet-holds-nodes",
        )
    )
)
def as_many_efa_as_fit_on_cards_not_yet_known() -> Fleet:
    extra = an_interface(UNKNOWN, 1, "efa-only")
    return a_fleet(a_template(instance="g5.8xlarge", interfaces=(an_interface(), extra)))


@case(
    unjudged=tuple(
        f"{rule} @ {WORKERS}"
        for rule in (
            "one-efa-per-card",
            "interface-slot-used-once",
            "interface-device-index",
            "interface-card-exists",
            "interfaces-per-card",
            "efa-fits-instance",
            "primary-interface-present",
            "primary-interface-not-efa-only",
            "max-pods-within-addresses",
            "subnet-holds-nodes",
        )
    )
)
def perhaps_a_primary() -> Fleet:
    return a_fleet(a_template(interfaces=(an_interface(UNKNOWN, UNKNOWN, groups=(CLUSTER_REF,)), *interfaces()[1:])))


@case()
def security_groups_at_the_top_alone() -> Fleet:
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=(), security_groups=(CLUSTER_REF,)))


@case(
    unjudged=(
        "nodes-without-public-address @ groups.workers",
        *tuple(
            f"{rule} @ {WORKERS}"
            for rule in (
                "security-groups-on-interfaces",
                "one-efa-per-card",
                "primary-interface-present",
                "primary-interface-not-efa-only",
                "interface-slot-used-once",
                "interface-device-index",
                "interface-card-exists",
                "interfaces-per-card",
                "interface-type-known",
                "efa-only-without-address",
                "efa-fits-instance",
                "efa-single-zone",
                "several-interfaces-no-public-ip",
                "several-interfaces-private-subnets",
                "node-template-reaches-control-plane",
                "efa-used-fully",
                "efa-security-groups-allow-themselves",
                "vpc-cni-supports-efa",
                "max-pods-within-addresses",
                "subnet-holds-nodes",
            )
        ),
    )
)
def interfaces_not_yet_known_and_groups_at_the_top() -> Fleet:
    return a_fleet(a_template(interfaces=UNKNOWN, security_groups=(CLUSTER_REF,)))
