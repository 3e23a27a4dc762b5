"""Claims of lesson 01."""
