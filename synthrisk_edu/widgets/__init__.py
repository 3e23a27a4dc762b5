"""What if I move this? The panels of the lessons; nothing else imports ipywidgets.

`panel` is the base that every panel is built on; one module for each room holds its panels.
"""

from synthrisk_edu.widgets.matching import (
    box_panel,
    candidates_panel,
    file_panel,
    interval_panel,
    narrowing_panel,
    share_panel,
    surface_panel,
    sweep_panel,
)
from synthrisk_edu.widgets.panel import Panel

__all__ = [
    "Panel",
    "box_panel",
    "candidates_panel",
    "file_panel",
    "interval_panel",
    "narrowing_panel",
    "share_panel",
    "surface_panel",
    "sweep_panel",
]
