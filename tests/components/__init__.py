"""Components for programs in other languages."""
