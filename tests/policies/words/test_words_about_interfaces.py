"""The words of the rules about network interfaces: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "interfaces.efa_on_a_type_without",
        "efa-fits-instance",
        "EFA sits on card 0; trn1.2xlarge has no EFA",
        "use plain interfaces, or a type with EFA",
    ),
    (
        "interfaces.efa_on_the_first_card_of_p6_b300",
        "efa-fits-instance",
        "EFA sits on card 0; p6-b300.48xlarge takes EFA on cards 1 to 16",
        "move it off card 0",
    ),
    (
        "interfaces.more_efa_than_fit_on_cards_not_yet_known",
        "efa-fits-instance",
        "2 EFA interfaces; g5.8xlarge takes 1",
        "keep 1 of them",
    ),
    (
        "interfaces.an_address_on_an_efa_only_interface",
        "efa-only-without-address",
        "the efa-only interface at card 0 / device 1 asks for IP addresses",
        "remove the addresses and prefixes at card 0 / device 1, or make the type 'efa'",
    ),
    (
        "interfaces.a_training_group_without_efa",
        "efa-used-fully",
        "0 of the 32 EFA interfaces of p5.48xlarge",
        "leave `interfaces` out, or say aws or classic",
    ),
    (
        "interfaces.four_of_32_efa",
        "efa-used-fully",
        "4 of the 32 EFA interfaces of p5.48xlarge",
        "add the others, one on each EFA-capable card",
    ),
    (
        "interfaces.a_card_beyond_the_last",
        "interface-card-exists",
        "interfaces sit on card 4; p4d.24xlarge has 4 network cards",
        "use cards below 4, or another instance type",
    ),
    (
        "interfaces.device_2_on_card_1",
        "interface-device-index",
        "an interface is at card 1 / device 2",
        "give each of them device index 0 or 1 on its card",
    ),
    (
        "interfaces.efa_and_plain_in_the_same_slot",
        "interface-slot-used-once",
        "2 interfaces are at card 2 / device 1",
        "keep one at card 2 / device 1 and give the others the next free device index",
    ),
    (
        "interfaces.a_misspelt_type",
        "interface-type-known",
        "the interface type at card 1 / device 0 is 'efaonly'; did you mean 'efa-only'?",
        "write one of interface, efa and efa-only there",
    ),
    (
        "interfaces.three_interfaces_on_card_0_of_p5",
        "interfaces-per-card",
        "card 0 carries 3 interfaces; on p5.48xlarge it takes 2",
        "take 1 off card 0",
    ),
    (
        "interfaces.two_efa_on_a_card",
        "one-efa-per-card",
        "network card 2 carries 2 EFA interfaces",
        "keep one on card 2 and give the others cards of their own",
    ),
    (
        "interfaces.an_efa_only_primary",
        "primary-interface-not-efa-only",
        "card 0 / device 0 is efa-only",
        "make it 'interface' and put the efa-only interface at card 0 / device 1, or make it 'efa'",
    ),
    (
        "interfaces.no_primary",
        "primary-interface-present",
        (
            "no interface is at card 0 / device 0 (the first are at card 0 / device 1, card 1 / device 0 and card "
            "2 / device 0)"
        ),
        "add one of type 'interface' at card 0 / device 0",
    ),
    (
        "interfaces.security_groups_in_both_places",
        "security-groups-on-interfaces",
        "security groups at the template's top (efa) beside 33 interfaces",
        "move them to each interface's securityGroups and drop vpcSecurityGroupIds",
    ),
    (
        "interfaces.security_groups_in_both_places_not_yet_known",
        "security-groups-on-interfaces",
        "security groups at the template's top (not yet known) beside 33 interfaces",
        "move them to each interface's securityGroups and drop vpcSecurityGroupIds",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "interfaces.an_instance_type_that_is_not_catalogued",
        "efa-fits-instance",
        "the hardware of p9.48xlarge, which is not catalogued",
    ),
    ("interfaces.interfaces_not_yet_known", "one-efa-per-card", "the network interfaces, not known before creation"),
    ("interfaces.an_interface_type_not_yet_known", "interface-type-known", "the type of every network interface"),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
