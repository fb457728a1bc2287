"""Muster as users have it: the wheel, installed into an environment of its own, away from the checkout."""
