"""Service quotas that a plan counts against: their codes and names, in one place.

AWS's guides give names; codes are only in what Service Quotas answers. They are the same in every account and Region.

Sources: VPC's codes are in moto 5 (`moto/servicequotas/resources/default_quotas/vpc.py`, from AWS's answer); those of
EC2, EKS and FSx in klaffka/aws-quota-monitor (checks and audits made from a snapshot of all quotas, 2025-11), and in
many other public repositories alike; which spot quota counts which generation of P, EC2's guide (Spot Instance quotas).
`vcpu_quotas.csv` lists which quota counts the vCPUs of which types; EC2's guide names none for P6 on spot.
What SageMaker has for HyperPod is counted by instance type: `hyperpod_quotas`.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.tables import read_table


class Quota(NamedTuple):
    """One quota of an account in a Region."""

    service: str
    """Service Quotas' own code of the service: ``ec2``, ``vpc``."""
    code: str
    name: str

    @property
    def words(self) -> str:
        """``Clusters (EKS)``: a name alone does not tell the service."""
        return f"{self.name} ({_SERVICES[self.service]})"

    def request(self, wanted: int) -> str:
        """The command that requests an increase from AWS."""
        return (
            f"aws service-quotas request-service-quota-increase --service-code {self.service} "
            f"--quota-code {self.code} --desired-value {wanted}"
        )


_SERVICES = {"ec2": "EC2", "eks": "EKS", "fsx": "FSx", "sagemaker": "SageMaker", "vpc": "VPC"}
"""Service Quotas' code of a service -> what people call it."""


def _vcpu_quotas() -> Mapping[tuple[str, bool], Quota]:
    by_code: dict[str, Quota] = {}
    rows = read_table("vcpu_quotas.csv")
    return {
        (row["name_begins"], row["spot"] == "true"): by_code.setdefault(
            row["code"], Quota("ec2", row["code"], row["name"])
        )
        for row in rows
    }


_BY_NAME = _vcpu_quotas()
"""What types' names begin with (a series, or a series and its generation), and whether on spot -> the quota."""

P, G, TRN, STANDARD = (_BY_NAME[series, False] for series in ("p", "g", "trn", "m"))
P4_SPOT, P5_SPOT, G_SPOT, TRN_SPOT, STANDARD_SPOT = (_BY_NAME[name, True] for name in ("p4", "p5", "g", "trn", "m"))

ADDRESSES = Quota("ec2", "L-0263D0A3", "EC2-VPC Elastic IPs")
VPCS = Quota("vpc", "L-F678F1CE", "VPCs per Region")
INTERNET_GATEWAYS = Quota("vpc", "L-A4707A72", "Internet gateways per Region")
NAT_GATEWAYS = Quota("vpc", "L-FE5A380F", "NAT gateways per Availability Zone")
SECURITY_GROUPS = Quota("vpc", "L-2AFB9258", "Security groups per network interface")
EKS_CLUSTERS = Quota("eks", "L-1194D53C", "Clusters")
NODE_GROUPS = Quota("eks", "L-6D54EA21", "Managed node groups per cluster")
LUSTRE = {
    "PERSISTENT_1": Quota("fsx", "L-C8640C82", "Lustre Persistent_1 storage capacity"),
    "PERSISTENT_2": Quota("fsx", "L-8F1B9C74", "Lustre Persistent_2 storage capacity"),
    **dict.fromkeys(("SCRATCH_1", "SCRATCH_2"), Quota("fsx", "L-AD2FC696", "Lustre Scratch storage capacity")),
}
"""A file system's deployment type -> the quota, in GiB."""

VCPUS = tuple(dict.fromkeys(_BY_NAME.values()))
"""Those that count vCPUs."""


def series_of(instance: str) -> str:
    """What a type's name begins with: ``p5en.48xlarge`` -> p, ``trn1.32xlarge`` -> trn."""
    found = re.match(r"[a-z]+", instance)
    return found.group() if found else ""


def vcpu_quota(instance: str, *, spot: bool) -> Quota | None:
    """The quota that counts a type's vCPUs; None where none is known: Inf, HPC and others, and P6 on spot."""
    generation = re.match(r"[a-z]+\d*", instance)
    by_series = _BY_NAME.get((series_of(instance), spot))
    return by_series or (_BY_NAME.get((generation.group(), spot)) if generation else None)


def vcpus_of(instance: str) -> int | None:
    """A type's vCPUs; None where the type is not known."""
    try:
        return hardware(instance).vcpus
    except UnknownInstance:
        return None
