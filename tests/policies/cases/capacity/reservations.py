"""Reservations that fit, and that cannot be used."""


# usable
