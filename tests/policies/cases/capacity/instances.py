"""What reservations hold: of which type, and how many."""


# type


# size
