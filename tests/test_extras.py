"""What a hub, Colab or VS Code bring themselves is an extra: a lesson needs none of it."""

import subprocess
import sys

import pytest

# In a process of its own, where none of them can be found.
WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in ("ipykernel", "jupyterlab", "latex2mathml", "nbconvert", "voila"):
            raise ModuleNotFoundError(f"{name} is not here")

sys.meta_path.insert(0, Missing())
"""
USE = """
import synthrisk_edu as sr
from synthrisk_classroom import lesson
from synthrisk_edu import widgets

my = lesson("01")
panel = widgets.share_panel(my.story.people, my.story.known, my.story.synthesized)
asked = my.predict("01.c", panel)
for box in asked.fields:
    box.value = "100"
asked.answer()
panel.controls["percent"].value = 75
assert panel.error is None and "26 people have a unique match" in panel.sentence.value
assert "01.c" in my.predictions().kept
assert my.check("01.1", [2, 1, 0.5]).handed_in and str(my.hint("01.1"))
"""


@pytest.mark.parametrize("missing", ["", "ipykernel", "nbconvert"])
def test_panels_predictions_and_exercises_need_no_extra(missing):
    """And what imports one fails in that process."""
    program = WITHOUT + USE + (f"import {missing}" if missing else "")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode == 0) == (missing == ""), done.stderr
    assert f"{missing} is not here" in done.stderr or not missing
