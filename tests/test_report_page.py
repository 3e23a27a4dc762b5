"""The page of the report in a real browser: light, dark and printed."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from jupyter_browser import axe

import synthrisk_edu as sr
from synthrisk_classroom import lesson

pytestmark = pytest.mark.slow
SCREENSHOTS = os.environ.get("SYNTHRISK_EDU_SCREENSHOTS")  # a folder, for humans to look at
CONTRAST = 4.5  # of text and what is behind it, as the web's guideline for readers asks
COLOURS = """() => [...document.querySelectorAll("p, pre, h1, h2, th, td")].map(one => {
    let back = one;
    while (back && getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)")
        back = back.parentElement;
    return [getComputedStyle(one).color, back ? getComputedStyle(back).backgroundColor : "none"];
})"""
TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter(one =>
    !one.closest(".output_html") && one.getBoundingClientRect().right > innerWidth + 1
).map(one => one.outerHTML.slice(0, 80))"""
PICTURES = "() => [...document.images].map(one => one.complete && one.naturalWidth > 0)"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    d = lesson("09").story
    roles = {"keys": ["Urban", "Marital"], "targets": ["Educ", "Tenure", "Income", "Expenditure"]}
    options = {"fraction": 0.01, "title": "<b>A report</b>", "control": d.others}
    report = sr.risk_report(d.took_part, d.half_made, **roles, **options)
    return report.save(tmp_path_factory.mktemp("page") / "page.html")


def fifteen_columns(seed, n=1500):
    """A table of ten categories and five numbers."""
    rng = np.random.default_rng(seed)
    table = {f"category {k}": rng.choice(list("abcdefgh")[: k % 7 + 2], n) for k in range(10)}
    table |= {f"a number with a longer name {k}": rng.lognormal(9, 1, n).round() for k in range(4)}
    return pd.DataFrame(table | {"age": rng.integers(18, 90, n)})


@pytest.mark.parametrize("looks", ["light", "dark", "print", "narrow"])
def test_the_page_can_be_read(chromium, saved, looks):
    scheme = "dark" if looks == "dark" else "light"
    size = {"width": 420 if looks == "narrow" else 1100, "height": 900}
    page = chromium.new_page(color_scheme=scheme, viewport=size)
    told, asked = [], []
    page.on("console", lambda message: told.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(saved.as_uri())
    assert axe(page) == []
    if looks == "print":
        page.emulate_media(media="print")
    pictures, wide = page.evaluate(PICTURES), page.evaluate(TOO_WIDE)
    pairs = {tuple(pair) for pair in page.evaluate(COLOURS)}
    if SCREENSHOTS:
        page.screenshot(path=f"{SCREENSHOTS}/report_{looks}.png", full_page=True)
        if looks == "print":
            page.pdf(path=f"{SCREENSHOTS}/report.pdf")
    page.close()
    assert len(pictures) == 2 and all(pictures)
    assert told == [] and wide == []
    assert all(url.startswith(("file:", "data:")) for url in asked)
    assert all(contrast(*pair) >= CONTRAST for pair in pairs), pairs


def test_fifteen_columns_print_on_four_pages_at_most(chromium, tmp_path):
    ours, made, control = map(fifteen_columns, (1, 2, 3))
    keys = ["age", "category 0", "category 1"]
    targets = [name for name in ours if name not in keys]
    options = {"control": control, "fraction": 0.01, "records": 3}
    report = sr.risk_report(ours, made, keys=keys, targets=targets, **options)
    changed = targets[-3:]
    partial = ours.assign(**{name: made[name] for name in changed})
    roles = {"known": [name for name in ours if name not in changed], "synthesized": changed}
    both = sr.risk_report(ours, partial, **roles, keys=keys, targets=targets, **options)
    for number, one in enumerate([report, both]):
        page = chromium.new_page()
        page.goto(one.save(tmp_path / f"page{number}.html").as_uri())
        printed = page.pdf(format="A4")
        page.close()
        assert 1 <= printed.count(b"/Type /Page\n") <= 4
        if SCREENSHOTS:
            Path(SCREENSHOTS, f"fifteen_columns_{number}.pdf").write_bytes(printed)


def contrast(text, back):
    """Return the contrast of two colours such as rgb(34, 34, 34), from 1 to 21."""
    high, low = sorted((luminance(text), luminance(back)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour):
    """Return how light a colour is, from 0 to 1; where there is none, the paper is white."""
    if not colour.startswith("rgb("):
        return 1.0
    parts = [int(part) / 255 for part in colour[4:-1].split(",")]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(w * x for w, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_contrast_by_hand():
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == 21
    assert contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)") < CONTRAST
