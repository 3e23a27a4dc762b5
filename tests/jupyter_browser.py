"""A real JupyterLab in a real browser: open a notebook, run it, and use its panels.

    with jupyter_lab(folder) as lab, browser() as chromium:
        with open_notebook(chromium, lab, "00_start_here.ipynb") as page:
            page.run_all()
            for panel in page.panels():
                ...

The server works on a copy of the folder, so that nothing committed is ever changed.
"""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import sync_playwright

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTINGS = {
    # Otherwise a pop-up about news covers the page.
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    # Otherwise cells out of sight are not in the page.
    "notebook-extension/tracker": {"windowingMode": "none"},
}
JUPYTER_FOLDERS = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
)
# What the browser may complain about without any fault of ours, and why.
HARMLESS = (
    "favicon",  # the little picture of the tab, asked for before JupyterLab names its own
    "source map",  # only developers of JupyterLab need these, so they are not installed
    ".map",
)

# JupyterLab asks the kernel for widgets when a notebook is opened. If that question arrives before
# the first cell has imported ipywidgets, the kernel answers with these two lines; it does no harm.
EARLY_QUESTION = "No such comm target registered: jupyter.widget.control"
EARLY_ANSWER = "No such comm: "

# Runs in the page. Listens to all messages between page and kernel: which requests are still
# being worked on, when the last message passed, and what errors the kernel has told of. An
# error in a callback belongs to no cell, so it can be seen here and nowhere else.
WATCH_KERNEL = """() => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const watch = {pending: new Set(), last: performance.now(), errors: []};
    window.kernelWatch = watch;
    kernel.anyMessage.connect((_, {msg, direction}) => {
        const type = msg.header.msg_type, parent = msg.parent_header.msg_id;
        if (msg.channel === 'control') return;
        watch.last = performance.now();
        if (direction === 'send' && (type === 'comm_msg' || type === 'execute_request'))
            watch.pending.add(msg.header.msg_id);
        if (type === 'status' && msg.content.execution_state === 'idle')
            watch.pending.delete(parent);
        if (type === 'error')
            watch.errors.push(msg.content.ename + ': ' + msg.content.evalue);
        if (type === 'stream' && msg.content.name === 'stderr')
            watch.errors.push('stderr: ' + msg.content.text);
    });
}"""
IS_QUIET = """milliseconds => kernelWatch.pending.size === 0
    && performance.now() - kernelWatch.last > milliseconds"""
RUN_ALL = """() => {
    window.ranAll = false;
    window.jupyterapp.commands.execute('notebook:run-all-cells')
        .finally(() => { window.ranAll = true; });
}"""
LOOK_FOR_BARS = """async selectors => {
    const parts = {include: selectors.map(one => [one])};
    const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const found = await (selectors.length ? axe.run(parts, {runOnly: rules})
                                          : axe.run(document, {preload: false}));
    return found.violations.map(one => `${one.id}: ${one.help} `
        + one.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | '));
}"""
# All of a panel in one question, because each question to the page takes its time: a digest of
# every picture, tiles and tables, the sentence and whether it needs more room than it has, errors
# and the height.
SHOWN = """async panel => {
    const digest = async image => {
        const bytes = await (await fetch(image.src)).arrayBuffer();
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
        return image.naturalWidth + ':' + Array.from(hash.slice(0, 8)).join('.');
    };
    const texts = name => [...panel.querySelectorAll(name)].map(one => one.innerText);
    const words = panel.querySelector('.synthrisk-sentence');
    return {
        images: (await Promise.all([...panel.querySelectorAll('img')].map(digest))).join(),
        numbers: texts('.synthrisk-tilebox, .synthrisk-listing').join(),
        sentence: texts('.synthrisk-sentence').join(' ').trim(),
        is_long: words.scrollHeight > words.clientHeight + 1,
        errors: texts('.synthrisk-error'),
        height: panel.getBoundingClientRect().height,
    };
}"""


# -------------------------------------------------------------------- the server


SMALLEST_TEXT = """panel => {
    let smallest = [1000, ""];
    const walk = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const text = walk.currentNode.data.trim(), parent = walk.currentNode.parentElement;
        if (!text || parent.closest("style") || !parent.getClientRects().length) continue;
        const size = parseFloat(getComputedStyle(parent).fontSize);
        if (size < smallest[0]) smallest = [size, text];
    }
    return smallest;
}"""


# Labels and buttons whose text is wider than the room it has, and boxes that have to be scrolled.
CUT_OFF = """panel => [...panel.querySelectorAll('.widget-label, button, .widget-readout')]
    .filter(one => {
        const text = document.createRange();
        text.selectNodeContents(one);
        return text.getBoundingClientRect().width > one.getBoundingClientRect().width + 1;
    })
    .map(one => one.innerText.trim())"""


# How each front end is started: its module, the option with which it can be asked, its pages.
LAB = ("jupyterlab", "LabApp", "/lab/workspaces/{workspace}/tree/{name}")
NOTEBOOK_7 = ("notebook", "JupyterNotebookApp", "/notebooks/{name}")


@dataclass
class Lab:
    """A running JupyterLab: its address, its token and the folder it shows."""

    address: str
    token: str
    folder: Path
    front_end: tuple = LAB

    def api(self, path, method="GET"):
        """Ask the server's own interface; the answer is read as JSON."""
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(self.address + path, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read()
        return json.loads(text) if text else None


@contextlib.contextmanager
def jupyter_lab(notebooks, without=None, front_end=LAB):
    """Start JupyterLab on a copy of a folder of notebooks, and stop it at the end.

    `without` names an extension that its pages do not have, as on a hub that lacks it. Another
    `front_end` is Notebook 7.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        home = Path(temporary)
        skip = shutil.ignore_patterns(".ipynb_checkpoints")
        shutil.copytree(notebooks, home / "notebooks", ignore=skip)
        address = f"http://127.0.0.1:{free_port()}"
        lab = Lab(address, secrets.token_hex(16), home / "notebooks", front_end)
        with open(home / "server.log", "w+b") as log:
            server = subprocess.Popen(
                server_command(lab),
                env=server_environment(home, without),
                stdout=log,
                stderr=log,
            )
            try:
                wait_for_server(lab, server, home / "server.log")
                yield lab
            finally:
                server.terminate()
                try:
                    server.wait(20)
                except subprocess.TimeoutExpired:
                    server.kill()
                    server.wait()


def free_port():
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def server_command(lab):
    """Return the command line of the server."""
    module, application, _pages = lab.front_end
    command = [sys.executable, "-m", module, "--no-browser", "--ip=127.0.0.1"]
    command += [f"--port={lab.address.rsplit(':', 1)[1]}", "--ServerApp.port_retries=0"]
    command += [f"--IdentityProvider.token={lab.token}", f"--ServerApp.root_dir={lab.folder}"]
    command += [f"--{application}.expose_app_in_browser=True"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    return command


def server_environment(home, without=None):
    """Return an environment in which no setting of the user matters, and none is changed."""
    if without is not None:
        path = home / "JUPYTER_CONFIG_DIR" / "labconfig" / "page_config.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"disabledExtensions": {without: True}}))
    for extension, settings in SETTINGS.items():
        path = home / "JUPYTERLAB_SETTINGS_DIR" / "@jupyterlab" / extension
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".jupyterlab-settings").write_text(json.dumps(settings))
    return os.environ | {name: str(home / name) for name in JUPYTER_FOLDERS}


def wait_for_server(lab, server, log, seconds=60):
    """Return when the server answers; raise with the end of its log if it does not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError):
            lab.api("/api/status")
            return
        time.sleep(0.2)
    raise RuntimeError("JupyterLab did not start:\n" + log.read_text(errors="replace")[-2000:])


# ------------------------------------------------------------------- the browser


def find_chromium():
    """Return the path of an installed chromium, or None."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@contextlib.contextmanager
def browser():
    """Start chromium with a new profile, without a window."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_FLAGS, headless=True
        )
        try:
            yield chromium
        finally:
            chromium.close()


def axe(page, *selectors):
    """List what bars readers out of these parts of a page, by the rules of WCAG 2.2 AA.

    Without parts, of a whole page of our own, by every rule that axe has.
    """
    page.evaluate(Path(AXE_FILE_PATH).read_text("utf-8"))
    return page.evaluate(LOOK_FOR_BARS, list(selectors))


@contextlib.contextmanager
def open_notebook(chromium, lab, name, context=None):
    """Open a notebook and wait for its kernel; at the end close the page and the kernel."""
    context = context or chromium.new_context(viewport={"width": 1400, "height": 1000})
    page = NotebookPage(context.new_page(), lab, name)
    try:
        page.open()
        yield page
    finally:
        context.close()
        for session in lab.api("/api/sessions"):
            lab.api(f"/api/sessions/{session['id']}", method="DELETE")


@dataclass
class NotebookPage:
    """A notebook as the user sees it."""

    page: object
    lab: Lab
    name: str
    console_errors: list = field(default_factory=list)

    def open(self):
        """Load the page, and wait until the kernel is really there."""
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        workspace = Path(self.name).stem  # one each, or the last notebook opens again beside it
        path = self.lab.front_end[-1].format(workspace=workspace, name=self.name)
        self.page.goto(f"{self.lab.address}{path}?token={self.lab.token}")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        # The page says "idle" before a kernel exists, so ask the server.
        end = time.monotonic() + 60
        while not self._kernel_is_idle():
            if time.monotonic() > end:
                raise TimeoutError(f"the kernel of {self.name} did not start")
            self.page.wait_for_timeout(200)
        kernel = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
        self.page.wait_for_function(f"{kernel}?.status === 'idle'", polling=100, timeout=60_000)
        self.page.evaluate(WATCH_KERNEL)

    def _note_console(self, message):
        text = f"{message.text} ({message.location.get('url', '')})"
        if message.type == "error" and not any(word in text for word in HARMLESS):
            self.console_errors.append(text)

    def _kernel_is_idle(self):
        kernels = [s["kernel"] for s in self.lab.api("/api/sessions") if s["path"] == self.name]
        return any(k["execution_state"] == "idle" and k["connections"] > 0 for k in kernels)

    def run_all(self, seconds=120):
        """Run all cells, and wait until the last one has run and the panels are drawn."""
        self.page.evaluate(RUN_ALL)
        self.page.wait_for_function("window.ranAll", polling=200, timeout=seconds * 1000)
        self.settle(500)

    def settle(self, quiet=100, seconds=30):
        """Wait until the kernel has answered everything and been quiet for some milliseconds."""
        self.page.wait_for_timeout(50)  # a key press needs a moment to become a message
        self.page.wait_for_function(IS_QUIET, arg=quiet, polling=50, timeout=seconds * 1000)

    def panels(self):
        """Return all panels, from top to bottom."""
        # A panel may stand in several boxes of the same class; count the outermost only.
        selector = ".synthrisk-panel:not(.synthrisk-panel .synthrisk-panel)"
        return [Panel(self, element) for element in self.page.locator(selector).all()]

    def show_all(self):
        """Press "show me" before every panel that is to be predicted."""
        buttons = self.page.locator(".synthrisk-asked button", has_text="show me")
        while buttons.count():  # each goes away when it is pressed
            buttons.first.click()
            self.settle()

    def use_theme(self, name):
        """Change the theme of JupyterLab, for example to "JupyterLab Dark"."""
        command = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
        self.page.evaluate(command, name)
        self.page.wait_for_timeout(500)

    def problems(self):
        """List the errors in the page, in the kernel's messages and in the console."""
        error = '[data-mime-type="application/vnd.jupyter.error"]'
        stderr = '[data-mime-type="application/vnd.jupyter.stderr"]'
        found = [f"output: {o.inner_text()}" for o in self.page.locator(error).all()]
        found += [f"stderr: {o.inner_text()}" for o in self.page.locator(stderr).all()]
        shown = self.page.locator(".synthrisk-error").all()
        found += [f"panel: {element.inner_text()}" for element in shown]
        found += [f"kernel: {text}" for text in self._kernel_errors()]
        return found + [f"console: {text}" for text in self.console_errors]

    def _kernel_errors(self):
        """What the kernel complained of, without the lines about the early question."""
        # The first of the two lines may have passed before anybody listened.
        harmless = (EARLY_QUESTION, EARLY_ANSWER)
        errors = self.page.evaluate("kernelWatch.errors")
        return [text for text in errors if not any(line in text for line in harmless)]


# -------------------------------------------------------------------- the panels


@dataclass
class Panel:
    """One panel: its controls, its picture and its sentence."""

    notebook: NotebookPage
    element: object

    def shown(self):
        """Return what is to be seen just now: pictures, sentence, errors and the height."""
        return SimpleNamespace(**self.element.evaluate(SHOWN))

    def smallest_text(self):
        """Return the size in pixels of the smallest text to be seen, and that text."""
        return tuple(self.element.evaluate(SMALLEST_TEXT))

    def cut_off(self):
        """Return the labels and buttons whose text does not fit."""
        return self.element.evaluate(CUT_OFF)

    def screenshot(self, path):
        """Save a picture of the panel."""
        self.element.screenshot(path=path)

    def sliders(self):
        """Return the handles of all sliders; a slider for a range has two."""
        return self._visible(".noUi-handle")

    def _visible(self, selector):
        return [item for item in self.element.locator(selector).all() if item.is_visible()]

    def move_slider(self, handle, keys):
        """Put the focus on a handle and press keys; yield after each, when all is drawn."""
        for key in keys:
            handle.focus()
            handle.press(key)
            self.notebook.settle()
            yield f"slider {label(handle)}: {key}"

    def tick_all(self):
        """Change every checkbox and every toggle button, one after the other."""
        boxes = self._visible("input[type=checkbox]") + self._visible(".widget-toggle-button")
        for box in boxes:
            if box.is_enabled():
                box.press("Space")
            self.notebook.settle()
            yield f"tick {label(box)}"

    def choose_all(self, most=2):
        """Step through choices of every dropdown and list, and through every row of buttons."""
        for select in self._visible("select"):
            start = select.input_value()
            values = select.locator("option").evaluate_all("all => all.map(o => o.value)")
            for value in [*spread(values, most), start]:
                select.select_option(value)
                self.notebook.settle()
                yield f"choose {label(select)}: {value}"
        buttons = self._visible(".widget-toggle-buttons button")
        radios = self._visible(".widget-radio-box input")
        for button in buttons + radios:
            if button.is_enabled():
                button.press("Space")
            self.notebook.settle()
            yield f"choose {label(button)}"

    def play_all(self, seconds=1):
        """Let every animation play for a moment, and stop it."""
        for player in self._visible(".widget-play"):
            buttons = player.locator("button")
            buttons.nth(0).click()
            self.notebook.page.wait_for_timeout(seconds * 1000)
            buttons.nth(0).click()
            self.notebook.settle(300)
            yield "play"

    def use_everything(self):
        """Use every control in every way; yield what was done, after each step."""
        for handle in self.sliders():
            if handle.get_attribute("aria-disabled") != "true":
                yield from self.move_slider(handle, ["Home", "End"])
        yield from self.tick_all()
        yield from self.choose_all()
        yield from self.play_all()


def label(control):
    """Return the text beside a control, to name it in messages."""
    nearest = "e => (e.closest('.jupyter-widgets') || e).innerText || e.title || ''"
    return control.evaluate(nearest).split("\n")[0]


def spread(values, most):
    """Return at most so many of the values, evenly spread, the first and the last included.

    >>> spread(list("abcdefghij"), 4)
    ['a', 'd', 'g', 'j']
    """
    if len(values) <= most:
        return list(values)
    return [values[round(i * (len(values) - 1) / (most - 1))] for i in range(most)]
