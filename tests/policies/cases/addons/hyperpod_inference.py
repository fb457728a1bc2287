"""HyperPod's inference operator, and what it needs."""

from typing import Any

from muster.fleet.resources import EksAddon, Place, Ref
from muster.fleet.resources.ref import ADDON
from muster.unknown import UNKNOWN
from tests.addons.contexts import REQUIRED
from tests.factories import a_fleet
from tests.hyperpods import joined, on_existing
from tests.policies.addons import PLUGINS, an_addon, with_addons
from tests.policies.case import cases

OPERATOR = "amazon-sagemaker-hyperpod-inference"
DRIVERS = ("aws-mountpoint-s3-csi-driver", "aws-fsx-csi-driver")


def an_eks(name: Any, version: Any = "v1.18.2-eksbuild.1") -> EksAddon:
    return EksAddon(Ref(ADDON, str(name)), name, version, Place("kubernetes"))


def installed(*names: Any) -> dict[str, str]:
    return dict.fromkeys(("vpc-cni", *names), "v1.23.1-eksbuild.1")


cases(
    "hyperpod-inference-dependencies",
    the_operator_with_all_that_it_needs=lambda: a_fleet(
        *map(an_eks, (OPERATOR, *DRIVERS, "metrics-server", "cert-manager"))
    ),
    the_operator_with_a_chart_of_cert_manager=lambda: a_fleet(
        *map(an_eks, (OPERATOR, *DRIVERS, "metrics-server")), an_addon("cert-manager")
    ),
    the_operator_with_an_old_driver=lambda: a_fleet(
        *map(an_eks, (OPERATOR, "aws-fsx-csi-driver", "metrics-server", "cert-manager")),
        an_eks("aws-mountpoint-s3-csi-driver", "v1.14.0-eksbuild.1"),
    ),
    the_operator_with_a_driver_of_a_version_not_yet_known=lambda: a_fleet(
        *map(an_eks, (OPERATOR, "aws-fsx-csi-driver", "metrics-server", "cert-manager")),
        an_eks("aws-mountpoint-s3-csi-driver", UNKNOWN),
    ),
    our_operator_alone=lambda: with_addons({**PLUGINS, "hyperpod-inference": REQUIRED["hyperpod-inference"]}),
    our_operator_with_an_old_driver=lambda: with_addons(
        {**PLUGINS, "hyperpod-inference": REQUIRED["hyperpod-inference"], "fsx-csi-driver": {"version": "v1.5.1"}}
    ),
    the_operator_alone=lambda: a_fleet(an_eks(OPERATOR)),
    the_operator_without_the_drivers=lambda: a_fleet(*map(an_eks, (OPERATOR, "metrics-server", "cert-manager"))),
    the_operator_beside_an_add_on_not_yet_known=lambda: a_fleet(an_eks(OPERATOR), an_eks(UNKNOWN)),
    the_operator_on_an_eks_cluster_that_has_them=lambda: on_existing(
        an_eks(OPERATOR), known=joined(eksAddons=installed(*DRIVERS, "metrics-server", "cert-manager"))
    ),
    the_operator_on_an_eks_cluster_that_lacks_them=lambda: on_existing(
        an_eks(OPERATOR), known=joined(eksAddons=installed("metrics-server"))
    ),
    the_operator_on_an_eks_cluster_of_which_nobody_said_so=lambda: on_existing(
        an_eks(OPERATOR), known=joined(eksAddons=None)
    ),
    no_operator=lambda: a_fleet(*map(an_eks, DRIVERS)),
)
