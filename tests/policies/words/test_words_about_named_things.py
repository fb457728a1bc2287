"""The words of the rules about what an account says: what was found, what to do about this very thing."""

from tests.policies.words.said import all_said

WORDS = [
    (
        "account.a_reservation_that_nobody_knows",
        "named-things-exist",
        "AWS knows no reservation cr-0123456789abcdef0 of this account in us-west-2",
        (
            "name one of `aws ec2 describe-capacity-reservations --region us-west-2`; of another account's, have "
            "its owner share it with this one"
        ),
    ),
    (
        "account.a_reservation_whose_share_waits",
        "named-things-exist",
        "AWS knows no reservation cr-0123456789abcdef0 of this account in us-west-2",
        (
            "accept its share: `aws ram accept-resource-share-invitation --resource-share-invitation-arn "
            "arn:aws:ram:us-west-2:444455556666:resource-share-invitation/6b1c --region us-west-2`, then ask "
            "again"
        ),
    ),
    (
        "account.a_vpc_that_nobody_knows",
        "named-things-exist",
        "AWS knows no VPC vpc-0123456789abcdef0 of this account in us-west-2",
        "name a VPC that is there, or ask with a profile of its account",
    ),
    (
        "account.members_that_nobody_knows",
        "reservation-usable",
        "nothing in reservation group p5 can be launched into: cr-0123456789abcdef0 does not exist",
        "name a reservation that is active, for Linux/UNIX and of default tenancy",
    ),
    (
        "account.a_vpc_without_dns",
        "vpc-resolves-names",
        "vpc-0123456789abcdef0 has DNS host names and DNS support off",
        (
            "have its owner turn both on: `aws ec2 modify-vpc-attribute --vpc-id vpc-0123456789abcdef0 "
            "--enable-dns-support --region us-west-2`, then `aws ec2 modify-vpc-attribute --vpc-id "
            "vpc-0123456789abcdef0 --enable-dns-hostnames --region us-west-2`"
        ),
    ),
    (
        "account.a_vpc_without_host_names",
        "vpc-resolves-names",
        "vpc-0123456789abcdef0 has DNS host names off",
        (
            "have its owner turn it on: `aws ec2 modify-vpc-attribute --vpc-id vpc-0123456789abcdef0 "
            "--enable-dns-hostnames --region us-west-2`"
        ),
    ),
    (
        "account.a_subnet_of_another_vpc",
        "named-things-in-vpc",
        (
            "subnet-0bbbbbbbbbbbbbbbb is in vpc-00000000000000001 (AWS says so), and the network in "
            "vpc-0123456789abcdef0"
        ),
        "name a subnet of vpc-0123456789abcdef0",
    ),
    (
        "account.all_subnets_of_another_vpc",
        "named-things-in-vpc",
        "vpc-0123456789abcdef0 is named, and AWS says that its subnets are in vpc-00000000000000001",
        "write vpc: vpc-00000000000000001, or name subnets of vpc-0123456789abcdef0",
    ),
    (
        "account.a_security_group_of_another_vpc",
        "named-things-in-vpc",
        ("sg-0123456789abcdef0 is in vpc-00000000000000001 (AWS says so), and the network in vpc-0123456789abcdef0"),
        "name a security group of vpc-0123456789abcdef0",
    ),
    (
        "account.a_reservation_of_ones_own_outside_any_placement_group",
        "placement-group-by-provenance",
        (
            "reservation cr-0123456789abcdef0 was made outside any placement group; the group launches in a new "
            "one (workers)"
        ),
        "say so: placement-group: none",
    ),
    (
        "account.a_type_that_is_offered_elsewhere",
        "type-offered-in-zone",
        "us-west-2a does not offer p5.48xlarge to this account: AWS offers it in us-west-2b or us-west-2c",
        "take a zone that does (zone: us-west-2b), with a subnet there, or another type",
    ),
    (
        "account.a_type_that_is_offered_nowhere",
        "type-offered-in-zone",
        "us-west-2a does not offer p5.48xlarge to this account: no zone of us-west-2 does",
        "take another type, or another Region",
    ),
    (
        "account.hyperpods_type_is_offered_elsewhere",
        "type-offered-in-zone",
        "us-west-2a does not offer p5.48xlarge to this account: AWS offers it in us-west-2b",
        "take the zone that does (zone: us-west-2b), with a subnet there, or another type",
    ),
    (
        "account.none_free",
        "reservation-free-for-nodes",
        (
            "reservation cr-0123456789abcdef0 has 0 instances free (AWS says so; what this stack runs in it "
            "counts as free); the group starts with 2 nodes"
        ),
        "start with none until others leave it, or have its owner raise it",
    ),
    (
        "account.fewer_free_than_two_groups_start_with",
        "reservation-free-for-nodes",
        (
            "reservation cr-0123456789abcdef0 has 2 instances free (AWS says so; what this stack runs in it "
            "counts as free); more and workers together start with 3 nodes"
        ),
        "start with 2 nodes at most until others leave it, or have its owner raise it",
    ),
]


test_what_is_said = all_said(WORDS)
