"""Laws of the table of prices."""
