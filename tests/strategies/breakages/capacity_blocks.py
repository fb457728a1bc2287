"""Ways to break Capacity Blocks."""

from datetime import date, timedelta
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from muster.hardware.catalogue import Accelerator, hardware
from tests.factories import AS_OF, DROP
from tests.strategies.breakages.breakage import Places, found_at
from tests.strategies.capacity import bought
from tests.strategies.described import WORKERS, Described, made_up

BLOCK = f"groups.{WORKERS}.capacity.capacity-block"


def _block_of(legal: Described) -> dict[str, Any]:
    return legal.workers["capacity"]["capacity-block"]


def block_of_a_type_without(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    """Of the same kind of accelerator: the add-ons stay right."""
    at = f"groups.{WORKERS}.instance"
    gpus = hardware(legal.workers["instance"]).accelerator is Accelerator.GPU
    other = "g5.48xlarge" if gpus else "trn1n.32xlarge"
    return legal.edit({at: other, f"{legal.network_at}.zone-ids": DROP}), found_at(at)


def block_active_too_early(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{BLOCK}.active"
    return legal.edit({at: True}), found_at(at)


def _ended(draw: st.DrawFn) -> dict[str, Any]:
    ends = AS_OF - timedelta(days=draw(st.integers(0, 400)))
    return {f"{BLOCK}.starts": (ends - timedelta(days=7)).isoformat(), f"{BLOCK}.ends": ends.isoformat()}


def block_over(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    known = {f"{BLOCK}.buy": DROP, f"{BLOCK}.id": made_up("cr", 99)}
    return legal.edit({**known, **_ended(draw)}), found_at(f"{BLOCK}.active")


def block_bought_again(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{BLOCK}.buy"
    return legal.edit({f"{BLOCK}.id": DROP, at: bought(99), **_ended(draw)}), found_at(at)


def block_not_said_to_run(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{BLOCK}.active"
    return legal.edit({at: draw(st.sampled_from([False, DROP]))}), found_at(at)


def block_that_nobody_approves(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    purchase, other = bought(99), bought(98)
    at = f"{BLOCK}.buy"
    wrong = draw(st.sampled_from([{"offering": purchase["offering"]}, {**purchase, "approved": other["approved"]}]))
    return legal.edit({f"{BLOCK}.id": DROP, at: wrong, **_for_a_week(legal)}), found_at(f"{at}.approved")


def _for_a_week(legal: Described) -> dict[str, Any]:
    starts = date.fromisoformat(_block_of(legal)["starts"])
    return {f"{BLOCK}.ends": (starts + timedelta(days=7)).isoformat()}


def _about_its_block(legal: Described, **said: Any) -> Described:
    """With something that AWS says of a block that is not still to be bought."""
    assume("id" in _block_of(legal))
    return legal.learn("reservations", _block_of(legal)["id"], **said)


def block_ends_before_it_is_drained(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return _about_its_block(legal, end=f"{_block_of(legal)['ends']}T10:59:00Z"), found_at(f"{BLOCK}.ends")


def block_still_waits(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    nodes = legal.workers["nodes"]
    assume(nodes["start"] if isinstance(nodes, dict) else nodes)
    return _about_its_block(legal, state="scheduled"), found_at(f"{BLOCK}.active")


def block_unusable(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    wrong = [{"state": "payment-failed"}, {"state": "expired"}, {"platform": "Windows"}, {"reservationType": "default"}]
    return _about_its_block(legal, **draw(st.sampled_from(wrong))), found_at(f"{BLOCK}.id")
