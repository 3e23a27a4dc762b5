"""Claims of lesson 05."""
