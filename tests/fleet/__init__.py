"""Tests of muster/fleet."""
