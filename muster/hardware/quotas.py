"""Service quotas that a plan counts against: their codes and names, in one place.

AWS's guides give names; codes are only in what Service Quotas answers. They are the same in every account and Region.

Sources: VPC's codes are in moto 5 (`moto/servicequotas/resources/default_quotas/vpc.py`, from AWS's answer); those of
EC2, EKS and FSx in klaffka/aws-quota-monitor (checks and audits made from a snapshot of all quotas, 2025-11), and in
many other public repositories alike; which spot quota counts which generation of P, EC2's guide (Spot Instance quotas).
What SageMaker has for HyperPod is counted by instance type: `hyperpod_quotas`.
"""

import re
from dataclasses import dataclass

from muster.hardware.catalogue import UnknownInstance, hardware


@dataclass(frozen=True, slots=True, order=True)
class Quota:
    """One quota of an account in a Region."""

    service: str
    """Service Quotas' own code of the service: ``ec2``, ``vpc``."""
    code: str
    name: str

    @property
    def words(self) -> str:
        """``Clusters (EKS)``: a name alone does not say of which service."""
        return f"{self.name} ({_SERVICES[self.service]})"

    def request(self, wanted: int) -> str:
        """The command that asks AWS for more."""
        return (
            f"aws service-quotas request-service-quota-increase --service-code {self.service} "
            f"--quota-code {self.code} --desired-value {wanted}"
        )


_SERVICES = {"ec2": "EC2", "eks": "EKS", "fsx": "FSx", "sagemaker": "SageMaker", "vpc": "VPC"}
"""Service Quotas' code of a service -> what people call it."""


def _running(code: str, what: str) -> Quota:
    return Quota("ec2", code, f"Running On-Demand {what} instances")


def _spot(code: str, what: str) -> Quota:
    return Quota("ec2", code, f"All {what} Spot Instance Requests")


_STANDARD = "Standard (A, C, D, H, I, M, R, T, Z)"
_STANDARD_SERIES = frozenset("acdhimrtz")

P = _running("L-417A185B", "P")
G = _running("L-DB2E81BA", "G and VT")
TRN = _running("L-2C3B7624", "Trn")
STANDARD = _running("L-1216C47A", _STANDARD)
P4_SPOT = _spot("L-7212CCBC", "P4, P3 and P2")
P5_SPOT = _spot("L-C4BD4855", "P5")
G_SPOT = _spot("L-3819A6DF", "G and VT")
TRN_SPOT = _spot("L-6B0D517C", "Trn")
STANDARD_SPOT = _spot("L-34B43A08", _STANDARD)

_ON_DEMAND = {"p": P, "g": G, "gr": G, "vt": G, "trn": TRN, **dict.fromkeys(_STANDARD_SERIES, STANDARD)}
_ON_SPOT = {
    "p4": P4_SPOT,
    "p3": P4_SPOT,
    "p2": P4_SPOT,
    "p5": P5_SPOT,
    "g": G_SPOT,
    "gr": G_SPOT,
    "vt": G_SPOT,
    "trn": TRN_SPOT,
    **dict.fromkeys(_STANDARD_SERIES, STANDARD_SPOT),
}
"""A series, or a series and its generation -> the quota. EC2's guide names none for P6."""

ADDRESSES = Quota("ec2", "L-0263D0A3", "EC2-VPC Elastic IPs")
VPCS = Quota("vpc", "L-F678F1CE", "VPCs per Region")
INTERNET_GATEWAYS = Quota("vpc", "L-A4707A72", "Internet gateways per Region")
NAT_GATEWAYS = Quota("vpc", "L-FE5A380F", "NAT gateways per Availability Zone")
EKS_CLUSTERS = Quota("eks", "L-1194D53C", "Clusters")
NODE_GROUPS = Quota("eks", "L-6D54EA21", "Managed node groups per cluster")
LUSTRE = {
    "PERSISTENT_1": Quota("fsx", "L-C8640C82", "Lustre Persistent_1 storage capacity"),
    "PERSISTENT_2": Quota("fsx", "L-8F1B9C74", "Lustre Persistent_2 storage capacity"),
    **dict.fromkeys(("SCRATCH_1", "SCRATCH_2"), Quota("fsx", "L-AD2FC696", "Lustre Scratch storage capacity")),
}
"""A file system's deployment type -> the quota, in GiB."""

VCPUS = (P, G, TRN, STANDARD, P4_SPOT, P5_SPOT, G_SPOT, TRN_SPOT, STANDARD_SPOT)
"""Those that count vCPUs."""

EVERY = tuple(
    {
        *VCPUS,
        *(ADDRESSES, VPCS, INTERNET_GATEWAYS, NAT_GATEWAYS, EKS_CLUSTERS, NODE_GROUPS),
        *LUSTRE.values(),
    }
)
"""Every quota here, in no order."""

_SIZE = re.compile(r"[a-z]+\d+[a-z-]*\.(?:(?P<many>\d+)x|(?P<one>x)?)large")
_ODD = frozenset({"c4.8xlarge", "d2.8xlarge"})
"""Of 36, as no name tells."""


def series_of(instance: str) -> str:
    """What a type's name begins with: ``p5en.48xlarge`` -> p, ``trn1.32xlarge`` -> trn."""
    found = re.match(r"[a-z]+", instance)
    return found.group() if found else ""


def vcpu_quota(instance: str, *, spot: bool) -> Quota | None:
    """The quota that counts a type's vCPUs; None where none is known: Inf, HPC and others, and P6 on spot."""
    series = series_of(instance)
    if not spot:
        return _ON_DEMAND.get(series)
    generation = re.match(r"[a-z]+\d*", instance)
    return _ON_SPOT.get(series) or (_ON_SPOT.get(generation.group()) if generation else None)


def vcpus_of(instance: str) -> int | None:
    """A type's vCPUs: the catalogue's word, else what the names of standard types tell (large 2, xlarge 4, 8xlarge 32).
    None where nobody knows."""
    try:
        return hardware(instance).vcpus
    except UnknownInstance:
        pass
    size = _SIZE.fullmatch(instance)
    if size is None or instance in _ODD or series_of(instance) not in _STANDARD_SERIES:
        return None
    return 4 * int(size["many"]) if size["many"] else 4 if size["one"] else 2
