// A picture one can touch: hover a mark to read it, click it to choose it, drag an edge to move a
// control, drag a handle to draw what you expect. The page finds the mark under the pointer by
// itself, so that reading costs no round trip. Notebook and website use the same lines.

const GAP = 14;  // pixels between the pointer and the words beside it
const REACH = 14;  // pixels from a dot: so near is near enough
const AGAIN = 50;  // milliseconds: a drag does not tell more often than that

// Make an element, put it into another one, and return it.
function put(parent, tag, className, attributes = {}) {
    const made = document.createElement(tag);
    made.className = className;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    parent.append(made);
    return made;
}

// Build an empty picture into `el`; return the function that shows a state of it:
//   src, width, height, alt    the pixels, and the sides of the picture on a wide page
//   layer                      further pixels on top of them: {src, left, top, width, height}
//   hint                       one line: what can be touched
//   marks                      [x, y, words, sets, left, top, width, height]: the last four, or none
//   edges                      {along, left, top, width, height, zero, one, name, low, high, step}
//   handles                    {label, unit, from: [x, y], to: [x, y], low, high, step, value}
//   heard                      how many moves of handles the kernel has heard of
//   guess                      as handles: each is a cross where it stands, and cannot be moved
//   joined                     whether a line joins the handles, or the crosses
// `tell` gets {set: {name: value}} for a click, and {…, dragged: true} for a drag of an edge;
// {drawn: [number, value]} for a handle. `signal` ends what listens to the whole page.
function touchable(el, tell, signal) {
    el.classList.add("synthrisk-touch");
    const stage = put(el, "div", "synthrisk-stage");
    const image = put(stage, "img", "synthrisk-picture");
    const drawn = stage.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
    drawn.setAttribute("class", "synthrisk-drawn");
    drawn.setAttribute("aria-hidden", "true");
    const edges = put(stage, "div", "synthrisk-edges", {"aria-hidden": "true"});
    const knob = put(stage, "div", "synthrisk-knob",
                     {tabindex: 0, role: "slider", "aria-label": "read a mark"});
    const tip = put(stage, "div", "synthrisk-tip", {"aria-hidden": "true"});
    const handles = put(stage, "div", "synthrisk-handles");
    const hint = put(el, "p", "synthrisk-hint");
    let now = {marks: [], edges: [], handles: [], guess: [], heard: Infinity};
    let place = 0;  // of the mark that the keyboard reads
    let pointer = null;  // where it was last seen over the picture
    let tapped = null;  // the mark that a finger has read, and may choose next
    tip.hidden = true;

    stage.shows = () => now;  // for whoever wants to know where the marks are, such as a test

    const box = () => stage.getBoundingClientRect();
    const scale = () => now.width / (box().width || now.width);
    const inPicture = event => [(event.clientX - box().left) * scale(),
                                (event.clientY - box().top) * scale()];
    const share = (part, whole) => `${100 * part / whole}%`;  // the picture may be shrunk

    function putAt(node, x, y) {
        node.style.left = share(x, now.width);
        node.style.top = share(y, now.height);
    }

    // ------------------------------------------------------------------------------ marks
    function markAt([x, y]) {
        let best = null, least = (REACH * Math.max(1, scale())) ** 2;
        for (const mark of now.marks) {
            if (mark.length > 4) continue;
            const distance = (mark[0] - x) ** 2 + (mark[1] - y) ** 2;
            if (distance < least) { least = distance; best = mark; }
        }
        return best ?? now.marks.find(mark => mark.length > 4 && x >= mark[4] && y >= mark[5]
            && x <= mark[4] + mark[6] && y <= mark[5] + mark[7]) ?? null;
    }

    function read(mark, extra = "") {
        tip.hidden = !mark;
        if (!mark) return;
        tip.textContent = mark[2] + extra;
        const [x, y] = mark, isRight = x > 0.6 * now.width, isLow = y > 0.6 * now.height;
        putAt(tip, x, y);
        tip.style.transform = `translate(${isRight ? `calc(-100% - ${GAP}px)` :
            `${GAP}px`}, ${isLow ? "calc(-100% - 6px)" : "6px"})`;
    }

    function choose(mark) {
        if (mark?.[3]) tell({set: mark[3]});
    }

    function hover(event) {
        if (event.target === tip) return;  // the words may be pointed at, too
        pointer = inPicture(event);
        const mark = markAt(pointer);
        stage.style.cursor = mark?.[3] ? "pointer" : "";
        read(mark);
    }
    stage.addEventListener("pointermove", event => {
        if (event.pointerType !== "touch") hover(event);
    });
    stage.addEventListener("pointerleave", event => {
        if (event.pointerType === "touch") return;
        pointer = null;
        tip.hidden = true;
    });
    stage.addEventListener("click", event => {
        if (event.target === tip || event.target.closest(".synthrisk-handle")) return;
        if (event.target.parentNode === edges && hasDragged) return;  // else a dot lies below
        const mark = markAt(inPicture(event));
        if (event.pointerType !== "touch") {
            if (mark?.[3]) pointer = null;  // what is shown next is not what was pointed at
            return choose(mark);
        }
        const isSecond = mark && tapped === mark[2];  // the first tap reads, the second chooses
        tapped = mark?.[2];
        read(mark, mark?.[3] && !isSecond ? "\nTap again to choose it." : "");
        if (isSecond) choose(mark);
    });
    addEventListener("keydown", event => {  // before a panel keeps the key to itself
        if (event.key === "Escape") tip.hidden = true;
    }, {capture: true, signal});

    function walk(to) {
        place = Math.max(0, Math.min(now.marks.length - 1, to));
        const mark = now.marks[place];
        if (!mark) return;
        putAt(knob, mark[0], mark[1]);
        knob.setAttribute("aria-valuenow", place + 1);
        knob.setAttribute("aria-valuetext", mark[2]);
        if (document.activeElement === knob) read(mark);
    }
    knob.addEventListener("keydown", event => {
        const last = now.marks.length - 1;
        const to = {ArrowRight: place + 1, ArrowUp: place + 1, ArrowLeft: place - 1,
                    ArrowDown: place - 1, PageUp: place + 10, PageDown: place - 10,
                    Home: 0, End: last}[event.key];
        if (to !== undefined) walk(to);
        else if (event.key === "Enter" || event.key === " ") choose(now.marks[place]);
        else return;
        event.preventDefault();
    });
    knob.addEventListener("focus", () => walk(place));
    knob.addEventListener("blur", () => { tip.hidden = true; });

    function showMarks() {
        // Where the mark that is read has another number now, the knob goes with it.
        const sets = mark => JSON.stringify(mark?.[3] ?? null);
        const old = sets(now.marks_before?.[place]);
        if (old !== "null" && old !== sets(now.marks[place])) {
            const same = now.marks.findIndex(mark => sets(mark) === old);
            if (same >= 0) place = same;
        }
        knob.style.display = now.marks.length ? "" : "none";
        knob.setAttribute("aria-valuemin", 1);
        knob.setAttribute("aria-valuemax", Math.max(1, now.marks.length));
        walk(place);
        if (document.activeElement !== knob) read(pointer ? markAt(pointer) : null);
    }

    // ------------------------------------------------------------------------------ edges
    let hasDragged = false;  // since an edge was last taken

    function showEdges() {
        while (edges.children.length > now.edges.length) edges.lastChild.remove();
        now.edges.forEach(({along, left, top, width, height}, number) => {
            const bar = edges.children[number] ?? newEdge(number);
            bar.className = `synthrisk-edge along-${along}`;
            putAt(bar, left, top);
            bar.style.width = share(width, now.width);
            bar.style.height = share(height, now.height);
        });
    }

    // Beyond `zero` an edge goes on as the other one would, so at 0 it can be pulled to both sides.
    function newEdge(number) {
        const bar = put(edges, "div", "");
        const coordinate = event => inPicture(event)[now.edges[number].along === "x" ? 0 : 1];
        let start, offset, wanted, told, later;
        const send = () => {
            later = undefined;
            if (wanted === told) return;
            told = wanted;
            tell({set: {[now.edges[number].name]: wanted}, dragged: true});
            later = setTimeout(send, AGAIN);
        };
        const drag = event => {
            const {zero, one, low, high, step} = now.edges[number];
            const exact = Math.abs((coordinate(event) - offset - zero) / (one - zero));
            const value = low + step * Math.round((exact - low) / step);
            wanted = Math.max(low, Math.min(high, value));
            if (later === undefined) send();
        };
        bar.addEventListener("pointerdown", event => {
            bar.setPointerCapture(event.pointerId);
            const {along, left, top} = now.edges[number];
            start = coordinate(event);
            offset = start - (along === "x" ? left : top);
            told = undefined;
            hasDragged = false;
            pointer = null;  // or a new picture would read the mark where the drag began
            tip.hidden = true;
            event.preventDefault();
        });
        bar.addEventListener("pointermove", event => {
            if (!bar.hasPointerCapture(event.pointerId)) return;  // it may read a dot below
            event.stopPropagation();
            hasDragged ||= Math.abs(coordinate(event) - start) > 2;
            if (hasDragged) drag(event);
        });
        return bar;
    }

    // ---------------------------------------------------------------------------- handles
    const shareOf = ({low, high, value}) => value === null ? 0.5 : (value - low) / (high - low);
    const spot = handle => [0, 1].map(k =>
        handle.from[k] + shareOf(handle) * (handle.to[k] - handle.from[k]));
    // What comes from the kernel before it has heard of the last move is older than the hand: it
    // does not move a handle back. Without a kernel all is heard at once.
    let told = 0;
    const byHand = new Map();  // number → value, as long as the kernel has not heard of all moves

    function showHandles(given) {
        if (now.heard >= told) byHand.clear();
        while (handles.children.length > given.length) handles.lastChild.remove();
        now.handles = given.map((handle, number) =>
            ({...handle, value: byHand.has(number) ? byHand.get(number) : handle.value}));
        now.handles.forEach((_, number) => {
            if (!handles.children[number]) newHandle(number);
            moveHandle(number);
        });
        drawLine();
    }

    function drawLine() {
        drawn.setAttribute("viewBox", `0 0 ${now.width} ${now.height}`);
        const isOnAxis = ({low, high, value}) => value >= low && value <= high;
        const crosses = now.guess.filter(isOnAxis).map(spot);
        const points = now.handles.length ? now.handles.map(spot) : crosses;
        const line = now.joined ? `<polyline points="${points.join(" ")}"/>` : "";
        const cross = ([x, y]) => `<path d="M${x - 6},${y - 6}l12,12m0,-12l-12,12"/>`;
        drawn.innerHTML = line + crosses.map(cross).join("");
    }

    function moveHandle(number) {
        const handle = now.handles[number], button = handles.children[number];
        const [x, y] = spot(handle), isFlat = handle.from[1] === handle.to[1];
        putAt(button, x, y);
        button.classList.toggle("unset", handle.value === null);
        button.classList.toggle("flat", isFlat);
        const said = handle.value === null ? "not set" : `${handle.value} ${handle.unit}`.trim();
        for (const [name, value] of Object.entries({
            "aria-label": handle.label, "aria-orientation": isFlat ? "horizontal" : "vertical",
            "aria-valuemin": handle.low, "aria-valuemax": handle.high,
            "aria-valuenow": handle.value ?? (handle.low + handle.high) / 2, "aria-valuetext": said,
        })) button.setAttribute(name, value);
        button.firstChild.textContent = handle.value === null ? "drag" : handle.value;
    }

    function setHandle(number, exact) {
        const handle = now.handles[number], {low, high, step} = handle;
        const digits = Math.max(0, -Math.floor(Math.log10(step)));
        const steps = Math.round((Math.max(low, Math.min(high, exact)) - low) / step);
        const value = Number((low + steps * step).toFixed(digits));
        if (value === handle.value) return;
        handle.value = value;
        moveHandle(number);
        drawLine();
        byHand.set(number, value);
        told = Math.max(told, now.heard) + 1;
        tell({drawn: [number, value]});
    }

    function newHandle(number) {
        const button = put(handles, "div", "synthrisk-handle", {role: "slider", tabindex: 0});
        put(button, "span", "", {"aria-hidden": "true"});
        button.addEventListener("pointerdown", event => {
            button.setPointerCapture(event.pointerId);
        });
        button.addEventListener("pointermove", event => {
            event.stopPropagation();
            if (!button.hasPointerCapture(event.pointerId)) return;
            const {from, to, low, high} = now.handles[number];
            const k = from[1] === to[1] ? 0 : 1;
            const part = (inPicture(event)[k] - from[k]) / (to[k] - from[k]);
            setHandle(number, low + part * (high - low));
        });
        button.addEventListener("keydown", event => {
            const {low, high, step, value} = now.handles[number];
            const from = value ?? (low + high) / 2;
            const to = {ArrowUp: from + step, ArrowRight: from + step, ArrowDown: from - step,
                        ArrowLeft: from - step, PageUp: from + 10 * step,
                        PageDown: from - 10 * step, Home: low, End: high}[event.key];
            if (to === undefined) return;
            setHandle(number, to);
            event.preventDefault();
        });
        return button;
    }

    // ---------------------------------------------------------------------- a whole state
    // The old picture lies below while the new one is drawn from the left to the right.
    function appear() {
        const old = image.cloneNode();
        old.className = "synthrisk-picture synthrisk-layer";
        old.alt = "";
        stage.prepend(old);
        stage.classList.add("appears");
        setTimeout(() => { old.remove(); stage.classList.remove("appears"); }, 900);
    }

    let layer = null;
    function showLayer({src, left, top, width}) {
        if (!layer) {
            layer = put(stage, "img", "synthrisk-picture synthrisk-layer", {alt: ""});
            image.after(layer);  // below all that is touched
        }
        layer.hidden = !src;
        if (!src) return;
        layer.src = src;
        putAt(layer, left, top);
        layer.style.width = share(width, now.width);
    }

    return state => {
        const before = now;
        now = {...now, ...state, marks_before: before.marks};
        stage.style.setProperty("--width", `${now.width}px`);
        stage.style.aspectRatio = `${now.width} / ${now.height}`;
        if (before.src && before.appeared !== now.appeared) appear();
        if (image.getAttribute("src") !== now.src) image.src = now.src;
        image.alt = now.alt;
        if (now.layer) showLayer(now.layer);
        hint.textContent = now.hint;
        showMarks();
        showEdges();
        showHandles(now.handles);
    };
}
