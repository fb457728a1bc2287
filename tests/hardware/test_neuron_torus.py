"""Which machines' Neuron devices are a torus."""

from muster.hardware.catalogue import hardware, instance_types, partial_neuron_parts


def test_the_two_that_the_documentation_names_are_one() -> None:
    """Not trn1.2xlarge, which has one device; of Trainium2 it says nothing."""
    assert {each for each in instance_types() if hardware(each).neuron_parts} == {"trn1.32xlarge", "trn1n.32xlarge"}
    assert partial_neuron_parts() == {(1, 4, 8, 16)}
