"use strict";
// One step a screen. Which one is seen stands in the address (#office/3), and the page alone
// decides it: turning a page never waits for Python, and a reload comes back to the same step.

const FOOT = document.getElementById("deck-foot"), RULE = document.createElement("style");
const CONTROL = "input, select, textarea, button, a, [role=slider], [tabindex='0']";
document.head.append(RULE);

// The plans, once the last cell of the notebook has shown them: name → steps.
function plans() {
    const start = document.querySelector(".start");
    return start ? JSON.parse(start.dataset.plans) : {};
}

// Where we are: a plan and a place in it; 0 is the first screen.
function here() {
    const [name, place] = location.hash.slice(1).split("/"), all = plans();
    const plan = name in all ? name : Object.keys(all)[0];
    const last = plan ? all[plan].length : 0;
    return {plan, last, place: Math.min(Math.max(Number(place) || 0, 0), last)};
}

function go(place) {
    const {plan, last} = here();
    location.hash = `${plan}/${Math.min(Math.max(place, 0), last)}`;
    show();  // at once: the next key may come before the page tells of the new address
}

// Show the step that the address names. A rule rather than a class: a step that is drawn later,
// or drawn anew, is seen as well.
function show() {
    const {plan, place, last} = here(), steps = plans()[plan] ?? [];
    const [number, , begin, end] = place ? steps[place - 1] : [0];
    RULE.textContent = `.synthrisk-step.step-${number} { display: flex !important }`;
    const listed = [[0, "all steps"], ...steps].map(([, title], k) =>
        new Option(k ? `${k}  ${title}` : title, k, false, k === place));
    const menu = FOOT.querySelector("select");
    menu.replaceChildren(...listed);
    FOOT.querySelector("span").textContent = place
        ? `${place} of ${last} · minutes ${begin} to ${end}` : "Page Down goes on, Page Up back";
    FOOT.hidden = !plan;
    document.activeElement?.blur();
}

// A clicker sends Page Down and Page Up: they always turn the page. Arrows may move a slider.
function turn(event) {
    const arrow = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    const free = !document.activeElement?.closest(CONTROL);
    const by = {PageDown: 1, PageUp: -1}[event.key] ?? (free ? arrow : undefined);
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === "keydown") go(here().place + by);
}

// A page that is closed ends its kernel. Voila asks for that as well, and refuses itself, for it
// never hands out the cookie (_xsrf) that it wants to see; with the token no cookie is needed.
function leave() {
    const {baseUrl, kernelId} = JSON.parse(document.getElementById("jupyter-config-data").text);
    navigator.sendBeacon(`${baseUrl}voila/api/shutdown/${kernelId}${location.search}`);
}

// As large as the window, and in its middle.
function fit() {
    const by = Math.min(innerWidth / 1920, innerHeight / 1080), look = document.documentElement.style;
    look.setProperty("--fit", by);
    look.setProperty("--left", `${(innerWidth - 1920 * by) / 2}px`);
    look.setProperty("--top", `${(innerHeight - 1080 * by) / 2}px`);
}

addEventListener("keydown", turn, true);
addEventListener("hashchange", show);
addEventListener("resize", fit);
addEventListener("pagehide", leave);
FOOT.addEventListener("click", event => {
    if (event.target.dataset.by) go(here().place + Number(event.target.dataset.by));
});
FOOT.querySelector("select").addEventListener("change", event => go(Number(event.target.value)));
fit();
// The steps are drawn after the page was read; the last one is the deck itself.
const waiting = setInterval(() => {
    if (document.querySelector(".start")) {
        clearInterval(waiting);
        show();
    }
}, 100);
