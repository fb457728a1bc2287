"""One CSI driver of FSx."""

from muster.fleet.resources import Fleet
from tests.factories import a_fleet
from tests.policies.addons import PLUGINS, a_chart, an_addon, an_eks, beside_plugins, conflict, lean, urn, with_addons
from tests.policies.case import case

# one-fsx-csi-driver

FSX, FSX_CSI = "one-fsx-csi-driver", "aws-fsx-csi-driver"


@case(f"{FSX} @ {urn(FSX_CSI)}")
def the_fsx_driver_by_helm_and_by_eks() -> Fleet:
    return a_fleet(an_eks(FSX_CSI), an_addon(FSX_CSI, "1.17.0"))


@conflict(f"{FSX} @ addons.charts.our-hyperpod-helm-chart.values.hyperpod-inference-operator.fsx")
def the_fsx_driver_by_helm_and_with_hyperpod() -> Fleet:
    return beside_plugins(a_chart(FSX_CSI, "1.17.0"), lean(inferenceOperators={"enabled": True}))


@conflict()
def hyperpods_inference_operator_without_its_fsx_driver() -> Fleet:
    own = {"inferenceOperators": {"enabled": True}, "hyperpod-inference-operator": {"fsx": {"enabled": False}}}
    return beside_plugins(a_chart(FSX_CSI, "1.17.0"), lean(**own))


@case()
def the_fsx_driver_by_eks() -> Fleet:
    return a_fleet(an_eks(FSX_CSI))


@conflict(f"{FSX} @ addons.charts.our-aws-fsx-csi-driver")
def our_fsx_driver_by_eks_and_another_by_helm() -> Fleet:
    charts = {"our-aws-fsx-csi-driver": a_chart(FSX_CSI, "1.17.0")}
    return with_addons({**PLUGINS, "fsx-csi-driver": {}, "charts": charts})
