"""Ways to break groups: their numbers, settings, capacity and images."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from muster.hardware.ami import ami_type, newest_parameter
from muster.hardware.catalogue import hardware
from muster.hardware.quotas import vcpu_quota
from tests.strategies.breakages.breakage import Places, found_at
from tests.strategies.described import WORKERS, Described
from tests.strategies.readings import family_of, most_of


def everything_tainted(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    effect = draw(st.sampled_from(("NoSchedule", "NoExecute")))
    taints = {f"groups.{name}.taints": {"team": effect} for name in legal.document["groups"]}
    return legal.edit(taints), found_at("groups")


def training_on_spot(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.capacity"
    return legal.edit({at: draw(st.sampled_from(["spot", {"spot": {}}]))}), found_at(f"{at}.spot")


def quota_too_small(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    wanted = most_of(legal.workers) * hardware(legal.workers["instance"]).vcpus
    quota = vcpu_quota(legal.workers["instance"], spot=False)
    assert quota is not None, "WITH_QUOTA"
    quotas = {**legal.facts.get("quotas", {}), quota.code: draw(st.integers(0, wanted - 1))}
    return replace(legal, facts={**legal.facts, "quotas": quotas}), found_at(f"groups.{WORKERS}.nodes")


def image_missing(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    """EKS has no image for the workers, nor for the groups that are of the same kind."""

    def path(group: Mapping[str, Any]) -> str | None:
        if "custom" in group.get("image", {}):
            return None
        return newest_parameter(ami_type(hardware(group["instance"]), family_of(group)), legal.document["kubernetes"])

    wanted = path(legal.workers)
    hit = [f"groups.{name}.image" for name, group in legal.document["groups"].items() if path(group) == wanted]
    return replace(legal, facts={**legal.facts, "imageParameters": {wanted: None}}), found_at(*hit)
