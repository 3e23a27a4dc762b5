// Panels and exercises on a page without Python. Everything shown here was computed when the page
// was made: a control only chooses which of the states is shown, an exercise only compares what was
// handed in and looks up a sentence. No request leaves the page; what was answered stays in the
// browser. Pictures are touched by the very lines of a notebook: touch.js stands before these.
"use strict";

// ------------------------------------------------------------------------- small helpers

// Make an element with some attributes, and put others (or text) into it.
function make(tag, attributes = {}, ...inside) {
    const made = Object.assign(document.createElement(tag), attributes);
    made.append(...inside);
    return made;
}

// Write text; no line ends inside "T = 1" or "50 %", as in the notebook.
function write(element, text) {
    element.textContent = text.replaceAll(" = ", "\u00a0=\u00a0").replaceAll(" %", "\u00a0%");
}

let lastNumber = 0;

// A name that occurs once on the page.
function newName() {
    lastNumber += 1;
    return `named-${lastNumber}`;
}

// Let the keyboard reach what scrolls, as long as it does.
const scrolls = new ResizeObserver(entries => entries.forEach(({target}) => {
    const isLarger = target.scrollWidth > target.clientWidth + 1
        || target.scrollHeight > target.clientHeight + 1;
    if (isLarger) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
}));

// ------------------------------------------------------------------------ what is kept
// Of every exercise and prediction that was answered: what was filled in, or null for "show me".
// A browser may forbid to keep anything; then a page that is opened again begins anew.

const storage = action => {
    try { return action(localStorage, `synthrisk ${location.pathname}`); } catch { return null; }
};
const kept = JSON.parse(storage((all, page) => all.getItem(page)) ?? "{}");

// What was kept is shown again as long as the same is asked; a lesson may have changed since then.
const isKept = (id, fields) => id in kept && fits(fields, kept[id]);
const fits = (fields, texts) => texts === null || texts.length === fields.length
    && fields.every(({options}, k) => !options || !texts[k] || texts[k] in options);

function keep(id, texts) {
    kept[id] = texts;
    storage((all, page) => all.setItem(page, JSON.stringify(kept)));
    document.querySelector(".kept button").disabled = false;
}

// Below the title, beside what is said there: where the answers are, and a button that forgets them.
function sayWhatIsKept() {
    const forget = make("button", {type: "button", className: "forget"}, "begin this page anew");
    forget.disabled = !Object.keys(kept).length;
    forget.addEventListener("click", () => {
        storage((all, page) => all.removeItem(page));
        location.reload();
    });
    document.querySelector(".kept").append(" Your answers stay in this browser. ", forget);
}

// ---------------------------------------------------------------------------- the controls
// Each returns {element, inputs, position, put}: position() says which of the values is chosen,
// put(place) chooses one. What is `labelled` takes its name from the label beside it.

function slider(control, changed) {
    const input = make("input", {type: "range", min: 0, max: control.texts.length - 1});
    const output = make("output");
    const tell = () => {
        output.textContent = control.texts[input.value];
        input.setAttribute("aria-valuetext", control.texts[input.value]);
    };
    const put = place => { input.value = place; tell(); };
    input.addEventListener("input", () => { tell(); changed(); });
    put(control.start);
    return {element: make("span", {className: "slider"}, input, output), labelled: input,
            inputs: [input], position: () => Number(input.value), put};
}

function menu(control, changed) {
    const options = control.texts.map((text, place) => make("option", {value: place}, text));
    const select = make("select", {}, ...options);
    const put = place => { select.value = place; };
    select.addEventListener("change", changed);
    const step = (by, sign, words) => {
        const button = make("button", {type: "button", title: `${control.label}: ${words}`}, sign);
        button.setAttribute("aria-label", button.title);
        button.addEventListener("click", () => {
            const many = control.texts.length;
            put((Number(select.value) + by + many) % many);
            changed();
        });
        return button;
    };
    const steps = [step(-1, "←", "the one before"), step(1, "→", "the next one")];
    put(control.start);
    return {element: make("span", {className: "menu"}, select, ...steps), labelled: select,
            inputs: [select, ...steps], position: () => Number(select.value), put};
}

// A row of boxes, each with a label; `kind` is "radio" or "checkbox".
function boxes(kind, texts, changed) {
    const name = newName();
    const inputs = texts.map((_, place) => make("input", {type: kind, name, value: place}));
    inputs.forEach(input => input.addEventListener("change", changed));
    const labels = inputs.map((input, place) => make("label", {}, input, texts[place]));
    const element = make("span", {className: "buttons"}, ...labels);
    element.setAttribute("role", kind === "radio" ? "radiogroup" : "group");
    return {element, inputs};
}

function buttons(control, changed) {
    const {element, inputs} = boxes("radio", control.texts, changed);
    const put = place => { inputs[place].checked = true; };
    put(control.start);
    return {element, inputs, position: () => inputs.findIndex(input => input.checked), put};
}

// The position of a set of ticks is a binary number: the first box counts 1, the next 2, then 4.
function ticks(control, changed) {
    const {element, inputs} = boxes("checkbox", control.texts, changed);
    const put = number => inputs.forEach((input, place) => {
        input.checked = Boolean(number & (1 << place));
    });
    const position = () => inputs.reduce((sum, box, place) => sum + box.checked * (1 << place), 0);
    put(control.start);
    return {element, inputs, position, put};
}

const KINDS = {slider, menu, buttons, ticks};

// Put the controls into a grid, and return them.
function addControls(place, controls, changed) {
    const grid = make("div", {className: "controls"});
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", "controls");
    place.append(grid);
    return controls.map(control => {
        const made = KINDS[control.kind](control, changed);
        const label = make(made.labelled ? "label" : "span", {className: "label"}, control.label);
        const named = made.labelled ?? label;
        named.id = newName();
        if (made.labelled) label.htmlFor = named.id;
        else made.element.setAttribute("aria-labelledby", named.id);
        grid.append(label, made.element);
        return made;
    });
}

// ------------------------------------------------------------------------------- a panel

// Every file in panels/ calls this once: the moving panel takes the place of the still one.
function showPanel(panel) {
    const place = document.getElementById(panel.id);
    place.replaceChildren();
    if (panel.asked) askFirst(place, panel);
    else buildPanel(place, panel);
}

// Build a panel; return {veil, open}, which hide what it shows and show it. `drawn` is told where
// a handle was dragged to.
function buildPanel(place, panel, drawn) {
    const tiles = make("div", {className: "tiles"});
    const frame = make("div", {className: "sideways"});
    const sentence = make("p", {className: "sentence"});
    const table = make("div", {className: "listing"});
    sentence.setAttribute("role", "status");
    const controls = addControls(place, panel.controls, show);
    place.append(tiles, frame, sentence, table);
    if (panel.note) place.append(make("p", {className: "note"}, panel.note));
    const touch = touchable(frame.appendChild(make("div")), touched);
    const always = {width: panel.width, height: panel.height, handles: [], guess: []};
    for (const [box, name] of [[frame, "picture"], [table, "table"]]) {
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", name);
        scrolls.observe(box);
    }
    let guessed = {appeared: 0, guess: [], joined: false}, askedAt = null;

    function touched(message) {
        if (message.drawn) drawn(...message.drawn);
        for (const [number, value] of Object.entries(message.set ?? {})) {
            const numbers = panel.controls[number].numbers;
            controls[number].put(message.dragged ? nearest(numbers, value) : value);
        }
        if (message.set) show();
    }

    // Crosses are true of what was asked about: while only the control moves that walks along them.
    const isAsked = positions => askedAt?.every((place, number) =>
        place === positions[number] || number === panel.veil.moves);

    function show() {
        const positions = controls.map(control => control.position());
        const shown = stateAt(panel, positions);
        const [left, top, width, height, src] = shown.layer;
        const crosses = isAsked(positions) ? guessed : {...guessed, guess: []};
        touch({...always, ...crosses, src: shown.backdrop, layer: {src, left, top, width, height},
               alt: shown.sentence, hint: panel.hint, marks: shown.marks, edges: shown.edges});
        tiles.innerHTML = shown.tiles;  // made and escaped by the package
        table.innerHTML = shown.table;
        table.hidden = !shown.table;
        write(sentence, shown.sentence);
        controls.forEach(({inputs}, k) => shut(inputs, shown.greyed.includes(k) || isAlone(k)));
    }

    // A control of which the page offers one value only cannot be moved.
    const isAlone = k => size(panel.controls[k]) === 1;

    function veil(handles) {
        table.hidden = true;
        touch({...always, ...panel.veil, handles, layer: null, marks: [], edges: []});
        tiles.innerHTML = panel.veil.tiles;
        controls.forEach(({inputs}) => shut(inputs, true));
    }

    // Show everything, at the place that was asked about; crosses stand where it was guessed.
    function open(guess, isNew) {
        guessed = {appeared: 1, guess, joined: panel.veil.joined};
        for (const [number, place] of Object.entries(panel.at)) controls[number].put(place);
        askedAt = controls.map(control => control.position());
        show();
        if (isNew) place.querySelector(".controls :enabled")?.focus({preventScroll: true});
    }

    if (!panel.asked) show();
    return {veil, open};
}

function shut(inputs, isShut) {
    inputs.forEach(input => { input.disabled = isShut; });
}

// What a panel shows where its controls stand: the parts of that state.
function stateAt(panel, positions) {
    const places = panel.states[number(panel.controls, positions)];
    const shown = Object.fromEntries(Object.entries(panel.parts).map(([part, kept], k) =>
        [part, kept[places[k]]]));
    return {...shown, marks: shown.marks.map(place => panel.marks[place])};
}

// The number of a state: positions are the digits, the last control counts fastest.
function number(controls, positions) {
    return positions.reduce((sum, position, k) => sum * size(controls[k]) + position, 0);
}

function size(control) {
    return control.kind === "ticks" ? 1 << control.texts.length : control.texts.length;
}

// The place of the number that is nearest to a value.
function nearest(numbers, value) {
    const away = numbers.map(number => Math.abs(number - value));
    return away.indexOf(Math.min(...away));
}

// ---------------------------------------------------------------- predict, then see

// What there is to fill in, under the words of an element: {element, inputs, text, put}.
function fieldUnder(words, {label, options}, changed) {
    if (options) {
        const names = Object.keys(options);
        const {element, inputs} = boxes("radio", Object.values(options), changed);
        element.setAttribute("aria-labelledby", words.id);
        const text = () => names[inputs.findIndex(input => input.checked)] ?? "";
        const put = name => { if (names.includes(name)) inputs[names.indexOf(name)].checked = true; };
        return {element: label ? make("span", {}, `${label} `, element) : element, inputs, text, put};
    }
    const input = make("input", {type: "text", size: 8, autocomplete: "off", inputMode: "decimal"});
    input.addEventListener("input", changed);
    if (!label) input.setAttribute("aria-labelledby", words.id);
    const element = label ? make("label", {}, `${label} `, input) : input;
    return {element, inputs: [input], text: () => input.value.trim(),
            put: value => { input.value = value; changed(); }};
}

// The place of a verdict: a lasting node, of which only the text changes.
function addVerdict(place) {
    const verdict = make("p", {className: "verdict"});
    verdict.setAttribute("role", "status");
    place.append(verdict);
    return (kind, words) => {
        verdict.classList.toggle("right", kind === "right" || kind === "close");
        write(verdict, `${SIGNS[kind]} ${words}`);
    };
}

const SIGNS = {right: "✓", close: "≈", mistake: "✗", wrong: "✗", unreadable: "–", open: "–"};

// Put the question above a panel, which stands veiled until it is answered.
function askFirst(place, panel) {
    const {asked} = panel;
    const question = make("p", {className: "question", id: newName()}, asked.question);
    const fields = asked.fields.map(field => fieldUnder(question, field, changed));
    const ready = make("button", {type: "submit"}, "that is my guess");
    const skip = make("button", {type: "button"}, "show me");
    const answers = make("div", {className: "answers"}, ...fields.map(field => field.element));
    const form = make("form", {className: "asked"}, question, answers,
                      make("div", {className: "actions"}, ready, skip));
    place.append(form);
    const tell = addVerdict(place);
    const {veil, open} = buildPanel(place, panel, (number, value) => fields[number].put(value));
    const texts = () => fields.map(field => field.text());

    function changed() {
        ready.disabled = texts().includes("");
        veil(panel.veil.handles.map((handle, k) => ({...handle, value: numberOrNull(texts()[k])})));
    }

    // Take what was filled in, or null: show me.
    function answer(given, isNew = true) {
        const [kind, words] = given ? judgeGuess(asked, given) : openGuess(asked);
        tell(kind, words);
        if (kind === "unreadable") return;
        if (isNew) keep(panel.id, given);
        const values = given ? readFields(asked, given) : null;
        form.hidden = true;
        open(values ? panel.veil.handles.map((one, k) => ({...one, value: values[k]})) : [], isNew);
        tellPredicted(asked, kind, given && saidOf(asked, given));
    }
    skip.addEventListener("click", () => answer(null));
    form.addEventListener("submit", event => {
        event.preventDefault();
        answer(texts());
    });
    changed();
    tellPredicted(asked);
    if (isKept(panel.id, asked.fields)) answer(kept[panel.id], false);
}

// What is said to who did not guess.
function openGuess({truth, verb, rows: [[, , why]]}) {
    return ["open", `${verb[0].toUpperCase()}${verb.slice(1)} ${truth}. ${why}`];
}

// The kind of verdict on a guess, and what is said of it: as `Prediction.judge` does in Python.
function judgeGuess(asked, texts) {
    const given = readFields(asked, texts);
    const bad = given.findIndex(Number.isNaN);
    if (bad >= 0) return ["unreadable", noNumber(texts[bad])];
    const reach = value => Math.max(asked.near * Math.abs(value), asked.within) + 1e-9;
    const same = (value, k) => value === null || value === given[k]
        || Math.abs(value - given[k]) <= reach(value);
    const [truth] = asked.rows[0];
    const isRight = (value, k) => value === given[k]
        || Math.abs(value - given[k]) <= asked.exactly[k] + 1e-9;
    const right = truth.filter(isRight).length;
    const near = truth.filter((value, k) => isRight(value, k) || same(value, k)).length;
    const [, usual, why] = asked.rows.find(([values]) => values.every(same))
        ?? [null, "wrong", asked.rows[0][2]];
    const [kind, head] = right === truth.length ? ["right", "Right"]
        : near === truth.length ? ["close", "Close"]
        : near ? ["close", `Close, ${near} of ${truth.length}`] : [usual, "No"];
    const said = saidOf(asked, texts);
    const isTold = kind === "right" && said === asked.truth;
    const told = `${isTold ? "" : `you said ${said}; `}${asked.verb} ${asked.truth}.`;
    return [kind, `${head}: ${told} ${why}`];
}

function saidOf({fields}, texts) {
    return listed(fields.map(({label, options}, k) =>
        options ? `“${options[texts[k]]}”` : texts[k] + (label && ` (${label})`)));
}

// Name several things in a sentence: a, b and c.
function listed(names) {
    const last = names.length - 1;
    return last ? `${names.slice(0, last).join(", ")} and ${names[last]}` : names[0];
}

const predictions = new Map();  // id → what was asked, the kind of verdict, and what was said

// Say at the end of a lesson how many guesses were right or close, with a row for each question.
function tellPredicted(asked, kind = null, said = null) {
    predictions.set(asked.id, {asked, kind, said});
    const place = document.querySelector(".predicted");
    if (!place) return;
    const all = [...predictions.values()], guessed = all.filter(one => one.said !== null);
    const number = kind => guessed.filter(one => one.kind === kind).length;
    const isFooled = ({kind}) => kind !== "right" && kind !== "close";
    const fooled = guessed.filter(isFooled).map(one => one.asked.id);
    const some = fooled.length ? ` Fooled by: ${fooled.join(", ")}.` : "";
    const kinds = `: ${number("right")} right, ${number("close")} close.${some}`;
    const told = `You predicted ${guessed.length} of ${all.length}`
        + (guessed.length ? kinds : " so far.");
    const head = ["question", "you said", "it is"].map(text =>
        make("th", {scope: "col", className: "text"}, text));
    place.replaceChildren(make("p", {}, told), make("table", {},
        make("thead", {}, make("tr", {}, make("td"), ...head)),
        make("tbody", {}, ...all.map(rowOf))));
}

const textCell = text => make("td", {className: "text"}, text);

function rowOf({asked, kind, said}) {
    const texts = kind ? [`${said ?? "show me"} ${SIGNS[kind]}`, asked.truth] : ["not answered yet", ""];
    return make("tr", {}, ...[asked.id, asked.question, ...texts].map(textCell));
}

// ------------------------------------------------------------------------------ exercises
// A form wrote its rows in Python: what may be handed in, the kind of verdict, what is said.
// The first row that fits is told; null stands for any number.

function buildExercise(place) {
    const exercise = JSON.parse(place.querySelector("script").textContent);
    const title = make("strong", {id: newName()}, `Exercise ${exercise.id} `);
    const fields = exercise.fields.map(field => fieldUnder(title, field, () => {}));
    const hint = make("button", {type: "button"}, "hint");
    const form = make("form", {}, title, ...fields.map(field => field.element),
                      make("button", {type: "submit"}, "check"), hint);
    place.append(form);
    const tell = addVerdict(place);
    const answer = texts => tell(...judge(exercise, texts));
    let hints = 0;
    form.addEventListener("submit", event => {
        event.preventDefault();
        const texts = fields.map(field => field.text());
        answer(texts);
        keep(exercise.id, texts);
    });
    hint.addEventListener("click", () => {
        hints = Math.min(hints + 1, exercise.hints.length);
        tell("open", `Hint ${hints} of ${exercise.hints.length}. ${exercise.hints[hints - 1]}`);
    });
    if (!isKept(exercise.id, exercise.fields)) return;
    fields.forEach((field, k) => field.put(kept[exercise.id][k]));
    answer(kept[exercise.id]);
}

// The kind of verdict on an answer, and what is said of it.
function judge(exercise, texts) {
    if (texts.includes("")) return ["open", exercise.asked];
    const given = readFields(exercise, texts).map((value, k) =>
        /^(nan|missing|none)$/i.test(texts[k]) ? "nan" : value);
    const unread = given.findIndex(Number.isNaN);
    if (unread >= 0) return ["unreadable", noNumber(texts[unread])];
    const same = (value, k) => value === null || value === given[k]
        || Math.abs(value - given[k]) <= exercise.within?.[k] * (1 + 1e-9);
    const row = exercise.rows.find(([values]) => values.every(same));
    if (!row) return ["wrong", exercise.else];
    // A usual mistake may be about some of the numbers; the others may be wrong, too.
    const bad = exercise.fields.map(field => field.label).filter((_, k) =>
        row[0][k] === null && !same(exercise.rows[0][0][k], k));
    const names = [bad.slice(0, -1).join(", "), ...bad.slice(-1)].filter(Boolean).join(" and ");
    const also = bad.length ? ` And ${names} ${bad.length > 1 ? "are" : "is"} not right yet.` : "";
    return [row[1], row[2] + also];
}

// ------------------------------------------------------------------ numbers that are typed
// The grammar is that of number_in in typed.py; tests/typed_numbers.json holds both to it.

const COMMAS = /^[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?$/;  // 1,234,567.5
const BLANKS = /^[1-9][0-9]{0,2}([ \u00a0\u2009\u202f][0-9]{3})+([.,][0-9]*)?$/;  // 10 000,5
const DIGITS = /^([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[-+]?[0-9]+)?$/i;  // 0,05

// The number that a text says, or NaN. Per cent are a share or, where per cent are asked for,
// themselves: whichever is nearer to what is right.
function readNumber(text, right) {
    let digits = text.trim();
    const isPerCent = digits.endsWith("%");
    if (isPerCent) digits = digits.slice(0, -1).trim();
    const sign = /^[-−]/.test(digits) ? -1 : 1;
    digits = digits.replace(/^[-−+]/, "").trim();
    if (COMMAS.test(digits)) digits = digits.replaceAll(",", "");
    else if (BLANKS.test(digits)) digits = digits.replace(/\s/g, "");
    if (!DIGITS.test(digits)) return NaN;
    const number = sign * Number(digits.replace(",", "."));
    if (!Number.isFinite(number)) return NaN;
    const share = number / 100;
    const isShare = isPerCent && Math.abs(share - right) <= Math.abs(number - right);
    return isShare ? share : number;
}

// What was filled in: the name of an option, or a number (NaN where it is none).
function readFields({fields, rows}, texts) {
    const right = rows[0][0];
    return texts.map((text, k) => fields[k].options ? text : readNumber(text, right[k]));
}

// The number that was typed into a box, per cent as they are, or null.
function numberOrNull(text) {
    const number = readNumber(text.replace(/%\s*$/, ""), 0);
    return Number.isNaN(number) ? null : number;
}

function noNumber(text) {
    return `Not yet: “${text}” is no number; write it in digits.`;
}

if (document.querySelectorAll(".exercise:has(script), .live").length) sayWhatIsKept();
document.querySelectorAll(".exercise:has(script)").forEach(buildExercise);
document.querySelectorAll("article :is(table, pre, .panel, .output, .formula)").forEach(one => scrolls.observe(one));
// The theme's folds in the list of lessons have no name.
document.querySelectorAll(".bd-links summary").forEach(one => {
    one.setAttribute("aria-label", "what goes further");
});
