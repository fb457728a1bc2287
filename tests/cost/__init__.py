"""Tests of muster/cost."""
