"""One CSI driver of FSx."""

from tests.factories import a_fleet
from tests.policies.addons import PLUGINS, a_chart, an_addon, an_eks, beside_plugins, lean, with_addons
from tests.policies.case import cases

# one-fsx-csi-driver

FSX_CSI = "aws-fsx-csi-driver"


cases(
    the_fsx_driver_by_helm_and_by_eks=lambda: a_fleet(an_eks(FSX_CSI), an_addon(FSX_CSI, "1.17.0")),
    the_fsx_driver_by_helm_and_with_hyperpod=lambda: beside_plugins(
        a_chart(FSX_CSI, "1.17.0"), lean(inferenceOperators={"enabled": True})
    ),
    hyperpods_inference_operator_without_its_fsx_driver=lambda: beside_plugins(
        a_chart(FSX_CSI, "1.17.0"),
        lean(**{"inferenceOperators": {"enabled": True}, "hyperpod-inference-operator": {"fsx": {"enabled": False}}}),
    ),
    the_fsx_driver_by_eks=lambda: a_fleet(an_eks(FSX_CSI)),
    our_fsx_driver_by_eks_and_another_by_helm=lambda: with_addons(
        {**PLUGINS, "fsx-csi-driver": {}, "charts": {"our-aws-fsx-csi-driver": a_chart(FSX_CSI, "1.17.0")}}
    ),
)
