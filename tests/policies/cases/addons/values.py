"""Values of add-ons that no chart takes."""

from muster.fleet.resources import Fleet
from tests.factories import described
from tests.policies.addons import conflict

# addon-values-have-a-form

FORM = "addon-values-have-a-form"


@conflict(f"{FORM} @ addons.efa-device-plugin.values")
def a_plugin_with_an_amount_that_is_none() -> Fleet:
    return described({"addons.efa-device-plugin": {"values": {"resources": {"requests": {"cpu": "lots"}}}}})


@conflict(f"{FORM} @ addons.efa-device-plugin.values")
def a_plugin_with_tolerations_that_are_none() -> Fleet:
    return described({"addons.efa-device-plugin": {"values": {"tolerations": 5}}})
