"""The launch template of a group, and whether it has EFA."""

from base64 import b64decode

from muster.blueprint.node_settings import NodeSettings, settings_in
from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup
from muster.fleet.resources.fleet import AnyGroup, TemplateGroup
from muster.policies.engine.finding_text import name_of
from muster.unknown import NotKnown, any_of, needed


def template_of(group: TemplateGroup, fleet: Fleet) -> LaunchTemplate | None:
    """A group's launch template; None if EKS creates one itself.

    Raises:
        NotKnown: it is not known which, or another program creates it.
    """
    template = fleet.template_of(group)
    if template or group.template is None:
        return template
    raise NotKnown(f"launch template {name_of(group.template)}, which this {fleet.terms.document} does not create")


def settings_of(group: AnyGroup | None, fleet: Fleet) -> NodeSettings:
    """What the user data and the node class of a group's nodes set.

    Raises:
        NotKnown: the user data cannot be read. On HyperPod a lifecycle script has the settings, which is not read.
    """
    template = template_of(group, fleet) if isinstance(group, NodeGroup) else None
    if template is None:
        raise NotKnown(f"the user data of {name_of(group.ref) if group else 'its nodes'}")
    found = settings_of_template(template)
    return found._replace(kubelet={**found.kubelet, **(template.kubelet or {})})


def settings_of_template(template: LaunchTemplate) -> NodeSettings:
    """What the user data of a launch template sets.

    Raises:
        NotKnown: it cannot be read.
    """
    return settings_in(decoded(template))


def decoded(template: LaunchTemplate) -> str:
    """The user data of a launch template; empty if it has none.

    Raises:
        NotKnown: it cannot be read.
    """
    try:
        return b64decode(template.user_data or "", validate=True).decode()  # type: ignore[arg-type]
    except ValueError:
        raise NotKnown(f"the user data of {name_of(template.ref)}, which is no text in base64") from None


def has_efa(group: TemplateGroup, fleet: Fleet) -> bool:
    """Whether an interface of a group's template carries EFA traffic.

    Raises:
        NotKnown: none is known to, and one may.
    """
    template = template_of(group, fleet)
    return template is not None and any_of(*(lambda nic=nic: nic.is_efa for nic in template.interfaces))


def read_interfaces(template: LaunchTemplate) -> None:
    """What a rule does after it judged the interfaces as far as they are known.

    Raises:
        NotKnown: a card, a device index or a type is not known.
    """
    for nic in template.interfaces:
        needed(nic.card, nic.device, nic.type)
