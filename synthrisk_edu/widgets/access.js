// What ipywidgets leave out for who works by keyboard or listens to the page: names, groups, what
// is pressed, what a slider says, what cannot be used yet. Looked after whenever a panel changes.

const setAll = (node, attributes) => {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null) node.removeAttribute(name);
        else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
    }
};
const textOf = node => node?.textContent.trim() ?? "";
const labelOf = widget => textOf(widget.querySelector(":scope > .widget-label"));

// What a slider shows; where its label has the unit, "radius r (%)", it is said with it.
function shownBy(widget) {
    const unit = labelOf(widget).endsWith("(%)") ? " %" : "";
    return textOf(widget.querySelector(".widget-readout")) + unit;
}

function nameControls(root) {
    for (const group of root.querySelectorAll(".synthrisk-group")) {
        const name = labelOf(group);
        setAll(group, {role: "group", "aria-label": name});
        for (const box of group.querySelectorAll("input:not([type=checkbox])"))
            setAll(box, {"aria-label": name});
        for (const button of group.querySelectorAll("button[title]"))
            if (button.title) setAll(button, {"aria-label": button.title});
    }
    for (const widget of root.querySelectorAll(".widget-slider")) {
        const isShut = Boolean(widget.querySelector("[disabled], .noUi-target[disabled]"));
        for (const handle of widget.querySelectorAll(".noUi-handle"))
            setAll(handle, {
                "aria-label": labelOf(widget),
                "aria-valuetext": shownBy(widget),
                "aria-disabled": isShut ? "true" : null,
                tabindex: isShut ? "-1" : "0",
            });
        for (const readout of widget.querySelectorAll("div.widget-readout[contenteditable]"))
            setAll(readout, {role: "textbox", "aria-label": `${labelOf(widget)}, typed`,
                             tabindex: isShut ? "-1" : "0"});
    }
    for (const row of root.querySelectorAll(".widget-toggle-buttons")) {
        setAll(row, {role: "group", "aria-label": labelOf(row) || "answers"});
        for (const button of row.querySelectorAll("button"))
            setAll(button, {"aria-pressed": button.classList.contains("mod-active")});
    }
    for (const player of root.querySelectorAll(".widget-play")) {
        setAll(player, {role: "group", "aria-label": "animation"});
        player.querySelectorAll("button").forEach((button, number) => setAll(button,
            {"aria-label": button.title || ["play", "repeat"][number] || "play"}));
    }
    for (const one of root.querySelectorAll("button, input, select")) {
        const isShut = one.disabled || one.classList.contains("synthrisk-grey");
        setAll(one, {"aria-disabled": isShut ? "true" : null});
    }
    for (const area of root.querySelectorAll(".synthrisk-scrolls")) {
        const scrolls = area.scrollHeight > area.clientHeight + 1;
        setAll(area, {tabindex: scrolls ? "0" : null, role: scrolls ? "region" : null,
                      "aria-label": scrolls ? "more words, to be scrolled" : null});
    }
    for (const words of root.querySelectorAll(".synthrisk-status > .widget-html-content"))
        setAll(words, {role: "status"});
}

// Plain keys belong to a panel: "d d" on a slider would delete its cell. Pages that listen after us
// (JupyterLab, VS Code) do not hear them; Notebook 7 listens before us, and obeys the attribute.
const isPlain = event => !(event.ctrlKey || event.metaKey || event.altKey)
    && !(event.key === "Enter" && event.shiftKey);

function keepPlainKeys() {
    if (window.synthriskKeepsKeys) return;
    window.synthriskKeepsKeys = true;
    window.addEventListener("keydown", event => {
        if (event.target.closest?.("[data-looked-after]"))
            event.target.toggleAttribute("data-lm-suppress-shortcuts", isPlain(event));
    }, true);
}

// Look after a panel, with the question above it if it has one.
function lookAfter(root) {
    if (root.dataset.lookedAfter) return;
    root.dataset.lookedAfter = "yes";
    keepPlainKeys();
    root.addEventListener("keydown", event => { if (isPlain(event)) event.stopPropagation(); });
    let waits = false;
    const again = () => { waits = false; nameControls(root); };
    new MutationObserver(() => {
        if (!waits) requestAnimationFrame(again);
        waits = true;
    }).observe(root, {subtree: true, childList: true, characterData: true, attributes: true,
                      attributeFilter: ["class", "disabled", "title", "aria-valuetext"]});
    nameControls(root);
}

// After Shift+Enter the next cell is the active one and, being in the focus, would push the panel
// out of the window: the page moves until all of it is in view.
function bringIntoView(root) {
    const cell = root.closest(".jp-Cell");
    if (cell?.nextElementSibling?.matches(".jp-mod-active")) root.scrollIntoView({block: "nearest"});
}

// Only the page knows where a slider takes its keys: to the form while it asks, else to the panel.
function takeFocus(root) {
    const control = ":is(.noUi-handle, input, select, button):not([disabled])";
    const first = root.querySelector(`.synthrisk-asked :is(input, .widget-toggle-button)`)
        ?? root.querySelector(`.synthrisk-controls ${control}`);
    first?.focus();
}

// Find the panel that `el` stands in, and look after it; the kernel may ask for the focus. An
// element is put into the page only after it was made.
function attend(model, el, tries = 100) {
    const root = el.closest(".synthrisk-predict") ?? el.closest(".synthrisk-panel");
    if (root === null) return tries && setTimeout(() => attend(model, el, tries - 1), 20);
    lookAfter(root);
    setTimeout(() => bringIntoView(root), 200);
    model.on("msg:custom", message => {
        if (message.focus) setTimeout(() => takeFocus(root), 150);
    });
}
