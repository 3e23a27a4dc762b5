"""What the pictures of lessons 03 and 04 share: many files, and what a risk is compared with."""

from synthrisk_edu.plots import look

SCENARIO_LOOKS = {
    "Income": {"color": look.BLUE, "marker": "o"},
    "Tenure+Income": {"color": look.ORANGE, "marker": "s"},
    "Expenditure+Income": {"color": look.GREEN, "marker": "^"},
    "Tenure+Expenditure+Income": {"color": look.PURPLE, "marker": "D"},
}
RISK = "expected_match_risk"
BESIDE = ("confidential", "floor")  # what a synthetic risk is compared with
