"""One CSI driver of FSx."""

from tests.factories import a_fleet
from tests.policies.addons import an_addon, an_eks
from tests.policies.case import cases

# one-fsx-csi-driver

FSX_CSI = "aws-fsx-csi-driver"


cases(
    the_fsx_driver_by_helm_and_by_eks=lambda: a_fleet(an_eks(FSX_CSI), an_addon(FSX_CSI, "1.17.0")),
)
