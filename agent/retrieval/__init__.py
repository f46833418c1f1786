"""How phrases become vectors, and how rows are found by them."""
