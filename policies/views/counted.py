"""Resources of which rules only ask how many there are."""

from muster.fleet.registration import Registration
from muster.fleet.resources import CountedResource, Place
from muster.fleet.resources.place import NAT_GATEWAY, SUBNET
from policies.views.references import References


def counted(resource: Registration, references: References) -> CountedResource:
    """A VPC, an address, a gateway; of a NAT gateway its subnet."""
    given = resource.inputs.get("subnetId") if resource.type == NAT_GATEWAY else None
    subnet = references.one(given, resource, "subnetId", (SUBNET,))
    return CountedResource(references.ref(resource), Place(resource.urn), subnet)
