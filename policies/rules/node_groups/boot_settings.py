"""What nodes are told to do when they boot."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.launch_templates import settings_of_template
from muster.unknown import UNKNOWN, stored


def boot_settings_take_effect(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    del fleet
    if template.place.described and stored(template, "user_data") is UNKNOWN:
        return  # Muster writes none
    if waiting := settings_of_template(template).after_reboot:
        got = f"the kernel parameters {and_list(waiting)} have no effect before a reboot, and nothing reboots the node"
        change = "set settings.boot.reboot-to-reconcile to true"
        if "hugepages" in waiting:
            change += ", or allocate the pages with settings.kernel.sysctl: {vm.nr_hugepages: NUMBER}"
        yield rule.finding(template, "userData", got=got, change=change)
