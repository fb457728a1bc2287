"""Device plugins of several add-ons for one device."""

from muster.unknown import UNKNOWN
from tests.factories import a_fleet
from tests.policies.addons import (
    ALONE,
    NVIDIA,
    OPERATOR,
    an_addon,
    loose,
)
from tests.policies.case import cases

# one-plugin-per-device


cases(
    two_plugins_of_another_program=lambda: loose(
        an_addon(NVIDIA, "0.20.0"), an_addon(OPERATOR, "v26.7.0", ALONE, name="z-operator")
    ),
    a_chart_not_yet_known=lambda: a_fleet(an_addon(UNKNOWN, UNKNOWN, name="theirs")),
)
