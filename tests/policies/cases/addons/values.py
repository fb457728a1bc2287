"""Values of add-ons that no chart takes."""

from tests.factories import described
from tests.policies.case import cases

# addon-values-have-a-form


cases(
    a_plugin_with_an_amount_that_is_none=lambda: described(
        {"addons.efa-device-plugin": {"values": {"resources": {"requests": {"cpu": "lots"}}}}}
    ),
    a_plugin_with_tolerations_that_are_none=lambda: described(
        {"addons.efa-device-plugin": {"values": {"tolerations": 5}}}
    ),
)
