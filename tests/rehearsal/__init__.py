"""Tests of the rehearsal: those marked `rehearsal` run a real control plane, the others none of its binaries."""
