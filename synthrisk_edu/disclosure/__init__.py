"""What do the keys give away? Identity and attribute disclosure, and DiSCO."""

from synthrisk_edu.disclosure.measures import (
    Disclosure,
    disclosure,
    disclosure_from_counts,
    multi_disclosure,
    remove_replicated_uniques,
)
