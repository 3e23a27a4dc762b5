"use strict";
// Panels and exercises on a page without Python. Everything shown here was computed when the page
// was made: a control only chooses which of the states is shown, an exercise only compares what was
// handed in and looks up a sentence. No request leaves the page.

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

// A name for an element that occurs once on the page.
function newName() {
    lastNumber += 1;
    return `control-${lastNumber}`;
}

// ---------------------------------------------------------------------------- the controls
// Each returns [element, position], where position() says which of the values is chosen.

function slider(control, changed) {
    const input = make("input", {type: "range", min: 0, max: control.texts.length - 1});
    input.value = control.start;
    const output = make("output", {}, control.texts[control.start]);
    input.addEventListener("input", () => {
        output.textContent = control.texts[input.value];
        input.setAttribute("aria-valuetext", control.texts[input.value]);
        changed();
    });
    input.setAttribute("aria-valuetext", control.texts[control.start]);
    return [make("span", {className: "slider"}, input, output), () => Number(input.value), input];
}

function menu(control, changed) {
    const options = control.texts.map((text, place) => make("option", {value: place}, text));
    const select = make("select", {}, ...options);
    select.value = control.start;
    select.addEventListener("change", changed);
    const step = (by, sign, words) => {
        const button = make("button", {type: "button", title: words}, sign);
        button.addEventListener("click", () => {
            const many = control.texts.length;
            select.value = (Number(select.value) + by + many) % many;
            changed();
        });
        return button;
    };
    const row = make("span", {className: "menu"}, select, step(-1, "←", "the one before"),
                     step(1, "→", "the next one"));
    return [row, () => Number(select.value), select];
}

function buttons(control, changed) {
    const group = newName();
    const row = make("span", {className: "buttons"});
    control.texts.forEach((text, place) => {
        const input = make("input", {type: "radio", name: group, value: place});
        input.checked = place === control.start;
        input.addEventListener("change", changed);
        row.append(make("label", {}, input, text));
    });
    return [row, () => Number(row.querySelector(":checked").value), null];
}

// The position of a set of ticks is a binary number: the first box counts 1, the next 2, then 4.
function ticks(control, changed) {
    const boxes = control.texts.map((_, place) => {
        const input = make("input", {type: "checkbox"});
        input.checked = Boolean(control.start & (1 << place));
        input.addEventListener("change", changed);
        return input;
    });
    const labels = boxes.map((box, place) => make("label", {}, box, control.texts[place]));
    const position = () => boxes.reduce((sum, box, place) => sum + box.checked * (1 << place), 0);
    return [make("span", {className: "buttons"}, ...labels), position, null];
}

const KINDS = {slider, menu, buttons, ticks};

// Put the controls into a grid; return a function that says what is chosen.
function addControls(place, controls, changed) {
    const grid = make("div", {className: "controls"});
    const positions = controls.map(control => {
        const [element, position, input] = KINDS[control.kind](control, changed);
        const label = make(input ? "label" : "span", {className: "label"}, control.label);
        if (input) {
            input.id = newName();
            label.htmlFor = input.id;
        } else {
            label.id = newName();
            element.setAttribute("role", "group");
            element.setAttribute("aria-labelledby", label.id);
        }
        grid.append(label, element);
        return position;
    });
    place.append(grid);
    return () => positions.map(position => position());
}

// ------------------------------------------------------------------------------- a panel

// Every file in panels/ calls this once: the moving panel takes the place of the still one.
function showPanel(panel) {
    const place = document.getElementById(panel.id);
    place.replaceChildren();
    const open = panel.asked ? askFirst(place, panel) : null;
    buildPanel(place, panel);
    if (open) veil(place, panel, open);
}

// ---------------------------------------------------------------- predict, then see

// Put the question above a panel; return the form and where the verdict is written.
function askFirst(place, panel) {
    const asked = panel.asked;
    const inputs = asked.fields.map(field => field.options ? options(field)
        : make("input", {type: "text", size: 8, autocomplete: "off", inputMode: "decimal"}));
    const labels = inputs.map((input, k) => make("label", {}, `${asked.fields[k].label} `, input));
    const skip = make("button", {type: "button"}, "show me");
    const form = make("form", {className: "asked"}, make("span", {}, asked.question), ...labels,
                      make("button", {type: "submit"}, "that is my guess"), skip);
    const verdict = make("p", {className: "verdict"});
    verdict.setAttribute("role", "status");
    place.append(form, verdict);
    return {form, verdict, inputs, skip};
}

// Hide marks, words and controls of a panel until its question is answered.
function veil(place, panel, {form, verdict, inputs, skip}) {
    const asked = panel.asked, backdrop = place.querySelector(".stage img");
    const controls = place.querySelectorAll(".controls :is(input, select, button)");
    const shut = on => {
        place.classList.toggle("veiled", on);
        backdrop.src = "data:image/png;base64," + (on ? panel.bare : panel.backdrop);
        controls.forEach(control => control.disabled = on);
    };
    const tell = (kind, words) => {
        verdict.classList.toggle("right", kind === "right");
        write(verdict, words);
    };
    const reveal = (kind, words) => {
        tell(kind, words);
        form.hidden = true;
        shut(false);
        controls[0].focus({preventScroll: true});
    };
    shut(true);
    skip.addEventListener("click", () => reveal("open", `It is ${asked.truth}. ${asked.rows[0][2]}`));
    form.addEventListener("submit", event => {
        event.preventDefault();
        const [kind, words] = judgeGuess(asked, inputs.map(input => input.value.trim()));
        const answered = kind !== "open" && kind !== "unreadable";
        (answered ? reveal : tell)(kind, words);
    });
}

// The kind of verdict on a guess, and what is said of it.
function judgeGuess(asked, texts) {
    if (texts.includes("")) return ["open", asked.missing];
    const given = readFields(asked, texts);
    const bad = given.findIndex(Number.isNaN);
    if (bad >= 0) return ["unreadable", noNumber(texts[bad])];
    const reach = value => Math.max(asked.near * Math.abs(value), asked.within) + 1e-9;
    const same = (value, k) => value === null || value === given[k]
        || Math.abs(value - given[k]) <= reach(value);
    const [, kind, words] = asked.rows.find(([values]) => values.every(same))
        ?? [null, "wrong", asked.rows[0][2]];
    const said = asked.fields.map(({label, options}, k) =>
        options ? `“${options[texts[k]]}”` : texts[k] + (label && ` (${label})`));
    return [kind, `You said ${said.join(", ")}; it is ${asked.truth}. ${words}`];
}

function buildPanel(place, panel) {
    const [width, height] = panel.pixels;
    const backdrop = make("img", {src: "data:image/png;base64," + panel.backdrop, alt: ""});
    const marks = make("img", {className: "marks", alt: ""});
    const stage = make("div", {className: "stage"}, backdrop, marks);
    stage.style.setProperty("--width", `${panel.width}px`);  // on a phone it moves sideways
    const sentence = make("p", {className: "sentence"});
    sentence.setAttribute("role", "status");
    const table = make("div", {className: "listing"});
    const position = addControls(place, panel.controls, show);
    place.append(make("div", {className: "sideways"}, stage), sentence, table);
    if (panel.note) place.append(make("p", {className: "note"}, panel.note));

    function show() {
        const [layer, words, listing] = panel.states[number(panel.controls, position())];
        const [left, top, wide, high, data] = panel.layers[layer];
        marks.style.display = data ? "" : "none";
        if (data) marks.src = "data:image/png;base64," + data;
        Object.assign(marks.style, {
            left: `${100 * left / width}%`, top: `${100 * top / height}%`,
            width: `${100 * wide / width}%`, height: `${100 * high / height}%`,
        });
        write(sentence, panel.sentences[words]);
        table.innerHTML = panel.tables[listing];  // made and escaped by the package
    }
    show();
}

// The number of a state: positions are the digits, the last control counts fastest.
function number(controls, positions) {
    return positions.reduce((sum, position, k) => sum * size(controls[k]) + position, 0);
}

function size(control) {
    return control.kind === "ticks" ? 1 << control.texts.length : control.texts.length;
}

// ------------------------------------------------------------------------------ exercises
// A form wrote its rows in Python: what may be handed in, the kind of verdict, what is said.
// The first row that fits is told; null stands for any number.

function buildExercise(place) {
    const exercise = JSON.parse(place.querySelector("script").textContent);
    const inputs = exercise.fields.map(field => field.options ? options(field)
        : make("input", {type: "text", size: 8, autocomplete: "off", inputMode: "decimal"}));
    const labels = inputs.map((input, k) =>
        make("label", {}, `${exercise.fields[k].label} `, input));
    const hint = make("button", {type: "button"}, "hint");
    const form = make("form", {}, make("strong", {}, `Exercise ${exercise.id} `), ...labels,
                      make("button", {type: "submit"}, "check"), hint);
    const verdict = make("p", {className: "verdict"});
    verdict.setAttribute("role", "status");
    const tell = (kind, words) => {
        verdict.classList.toggle("right", kind === "right");
        write(verdict, words);
    };
    let hints = 0;
    form.addEventListener("submit", event => {
        event.preventDefault();
        tell(...judge(exercise, inputs.map(input => input.value.trim())));
    });
    hint.addEventListener("click", () => {
        hints = Math.min(hints + 1, exercise.hints.length);
        tell("open", `Hint ${hints} of ${exercise.hints.length}. ${exercise.hints[hints - 1]}`);
    });
    place.append(form, verdict);
}

function options(field) {
    const listed = Object.entries(field.options).map(([name, text]) =>
        make("option", {value: name}, text));
    return make("select", {}, make("option", {value: ""}, "…"), ...listed);
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

function noNumber(text) {
    return `Not yet: “${text}” is no number; write it in digits.`;
}

document.querySelectorAll(".exercise:has(script)").forEach(buildExercise);
