// Deals the blocks onto slides when the page has been loaded, shows one slide at a time in the size
// of the window, and steps with the keys of a keyboard or of a clicker. A slide takes blocks as long
// as they fit and belong together; a block that is too large alone is made smaller.
const TALLEST = 600, ENOUGH = 400;
let all = [], now = 0;
function newSlide(title) {
    const slide = document.createElement("section"), room = document.createElement("div");
    slide.className = "slide"; room.className = "room";
    const head = document.createElement("h2"), number = document.createElement("span");
    head.textContent = title; number.className = "number"; number.textContent = all.length + 1;
    slide.append(head, room, number);
    document.body.append(slide);
    all.push(slide);
    return room;
}
function used(room) {
    const last = room.lastElementChild;
    return last ? last.getBoundingClientRect().bottom - room.getBoundingClientRect().top : 0;
}
function startsAnew(block, room, last) {
    const {kind, title} = block.dataset;
    if (!last || title !== last.title || kind === "panel") return true;
    if (kind !== last.kind && (kind === "question" || kind === "answer")) return true;
    if (kind !== last.kind && ["panel", "question", "answer"].includes(last.kind)) return true;
    return kind === "text" && last.kind === "text" && used(room) > ENOUGH;
}
function shrink(block, room) {
    for (let zoom = 0.95; zoom > 0.2; zoom -= 0.05) {
        if (used(room) <= TALLEST && block.scrollWidth <= block.clientWidth + 1) return;
        block.style.zoom = zoom;
    }
}
function deal() {
    let room = null, last = null;
    for (const block of [...document.querySelectorAll("body > .block")]) {
        if (startsAnew(block, room, last)) room = newSlide(block.dataset.title);
        room.append(block);
        if (used(room) > TALLEST && room.childElementCount > 1) {
            room = newSlide(block.dataset.title);
            room.append(block);
        }
        shrink(block, room);
        last = block.dataset;
    }
    document.body.classList.add("dealt");
}
function show(number) {
    now = Math.min(Math.max(number, 0), all.length - 1);
    all.forEach((slide, one) => slide.classList.toggle("now", one === now));
    history.replaceState(null, "", "#" + (now + 1));
    const scale = Math.min(innerWidth / 1280, innerHeight / 720);
    const left = (innerWidth - 1280 * scale) / 2, top = (innerHeight - 720 * scale) / 2;
    all[now].style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
}
const STEPS = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1,
    ArrowUp: -1, PageUp: -1, Backspace: -1, Home: -1e6, End: 1e6};
addEventListener("load", () => { deal(); show((parseInt(location.hash.slice(1)) || 1) - 1); });
addEventListener("resize", () => show(now));
addEventListener("keydown", event => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    show(now + STEPS[event.key]);
});
