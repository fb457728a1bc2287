"""Quotas: which one counts a type, and what no code can be."""

import re

import pytest
from moto.servicequotas.resources.default_quotas.vpc import VPC_DEFAULT_QUOTAS

from muster.hardware import hyperpod_quotas, lustre, quotas
from muster.hardware.catalogue import instance_types
from muster.hardware.hyperpod_types import hyperpod_types
from muster.hardware.quotas import vcpu_quota

CODE = re.compile(r"L-[0-9A-F]{8}")
EVERY = {
    *(each for each in vars(quotas).values() if isinstance(each, quotas.Quota)),
    *(*quotas.VCPUS, *quotas.LUSTRE.values()),
}
OF_ALL = {
    hyperpod_quotas.IN_ONE_CLUSTER,
    hyperpod_quotas.IN_ALL_CLUSTERS,
    hyperpod_quotas.ON_SPOT,
    hyperpod_quotas.LARGEST_VOLUME,
}


def test_codes_are_service_quotas_own_and_each_of_one_quota() -> None:
    """L- and eight digits of sixteen."""
    codes = [each.code for each in EVERY] + [*hyperpod_quotas.CODES.values()]
    assert [each for each in codes if not CODE.fullmatch(each)] == []
    assert len(set(codes)) == len(codes)
    assert len({(each.service, each.name) for each in EVERY}) == len(EVERY)


def test_codes_of_vpc_are_those_that_service_quotas_answers() -> None:
    """By moto's copy of AWS's answer, each with its name."""
    answered = {each["QuotaCode"]: each["QuotaName"] for each in VPC_DEFAULT_QUOTAS}
    ours = {each.code: each.name for each in EVERY if each.service == "vpc"}
    assert ours == {code: answered.get(code) for code in ours}
    assert set(ours.values()) == {
        "VPCs per Region",
        "Internet gateways per Region",
        "NAT gateways per Availability Zone",
        "Security groups per network interface",
    }


def test_every_kind_of_lustre_has_its_quota() -> None:
    """Each of FSx's deployment types; what is scratch shares one."""
    assert {each: quotas.LUSTRE[each].name for each in lustre.DEPLOYMENTS} == {
        "SCRATCH_1": "Lustre Scratch storage capacity",
        "SCRATCH_2": "Lustre Scratch storage capacity",
        "PERSISTENT_1": "Lustre Persistent_1 storage capacity",
        "PERSISTENT_2": "Lustre Persistent_2 storage capacity",
    }
    assert set(quotas.LUSTRE) == set(lustre.DEPLOYMENTS)
    assert {each.service for each in quotas.LUSTRE.values()} == {"fsx"}


def test_those_that_count_vcpus_are_those_that_count_a_type() -> None:
    """Of every type of the catalogue and every standard series, on demand and on spot; and no other."""
    types = [
        *instance_types(),
        *(f"{series}9.large" for series in "acdhimrtz"),
        "p2.xlarge",
        "vt1.3xlarge",
        "gr6.4xlarge",
    ]
    counted = {vcpu_quota(each, spot=spot) for each in types for spot in (False, True)}
    assert counted - {None} == set(quotas.VCPUS)
    assert {each.service for each in quotas.VCPUS} == {"ec2"}


def test_hyperpods_are_of_types_that_it_takes() -> None:
    """But for those of all types together; a name is made as it is looked up."""
    by_type = {hyperpod_quotas.instance_quota(each, spot=spot) for each in hyperpod_types() for spot in (False, True)}
    assert set(hyperpod_quotas.CODES) - by_type == OF_ALL


@pytest.mark.parametrize(
    ("instances", "on_demand", "on_spot"),
    [
        ("p4d.24xlarge p4de.24xlarge p3dn.24xlarge p2.xlarge", quotas.P, quotas.P4_SPOT),
        ("p5.48xlarge p5e.48xlarge p5en.48xlarge", quotas.P, quotas.P5_SPOT),
        ("p6-b200.48xlarge", quotas.P, None),
        ("g4dn.xlarge g5.xlarge g6e.xlarge gr6.4xlarge vt1.3xlarge", quotas.G, quotas.G_SPOT),
        ("trn1.32xlarge trn1n.32xlarge trn2.48xlarge", quotas.TRN, quotas.TRN_SPOT),
        (
            "a1.large c5.large d3.xlarge h1.2xlarge i3.large m5.large r5.large t3.large z1d.large",
            quotas.STANDARD,
            quotas.STANDARD_SPOT,
        ),
        ("inf2.xlarge hpc7a.96xlarge x2idn.16xlarge", None, None),
    ],
)
def test_which_quota_counts_a_type(instances: str, on_demand: object, on_spot: object) -> None:
    """By its series, on spot P's by its generation, too; None where EC2's guide names none."""
    for each in instances.split():
        assert (vcpu_quota(each, spot=False), vcpu_quota(each, spot=True)) == (on_demand, on_spot), each


@pytest.mark.parametrize("nothing", ["", "48xlarge", "P5", "[unknown]"])
def test_what_is_no_type_is_counted_by_none(nothing: str) -> None:
    """Programs write what they like there: it is no crash."""
    assert (vcpu_quota(nothing, spot=False), vcpu_quota(nothing, spot=True)) == (None, None)
    assert quotas.vcpus_of(nothing) is None


def test_a_types_vcpus() -> None:
    """By EC2's answer: no name tells that c4.8xlarge has 36."""
    vcpus = {"p5.48xlarge": 192, "c4.8xlarge": 36, "hpc6a.48xlarge": 96, "m5.24xlarge": 96, "m5.99xlarge": None}
    assert {each: quotas.vcpus_of(each) for each in vcpus} == vcpus
