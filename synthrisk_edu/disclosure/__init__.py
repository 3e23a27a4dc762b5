"""What do the keys give away? Identity and attribute disclosure, and DiSCO.

| module | the question it answers |
|---|---|
| `result` | what can I ask, and what do I get? `disclosure`, `multi_disclosure`, `Disclosure` |
| `measures` | how is each measure defined? one formula each, made of counts |
| `cells` | how many records lie under each combination of keys and target? |
| `checks` | are these usable keys, levels and exclusions? |
"""

from synthrisk_edu.disclosure.result import (
    Disclosure,
    disclosure,
    disclosure_from_counts,
    multi_disclosure,
    remove_replicated_uniques,
)
