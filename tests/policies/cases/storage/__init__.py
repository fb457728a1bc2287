"""FSx for Lustre: what there is, where it is, and who reaches it."""
