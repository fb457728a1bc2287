"""Tests of muster/hardware."""
