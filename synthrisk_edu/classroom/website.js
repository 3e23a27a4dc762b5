"use strict";
// Panels, exercises and the game on a page without Python. Everything shown here was computed when
// the page was made: a control only chooses which of the states is shown, an exercise only compares
// numbers and looks up a sentence. No request leaves the page.

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

// Every file in panels/ calls this once.
function showPanel(panel) {
    document.querySelectorAll(`[data-panel="${panel.id}"]`).forEach(place => {
        if (panel.kind === "panel") buildPanel(place, panel);
        if (panel.kind === "game") buildGame(place, panel);
        if (panel.kind === "notebook") {
            place.append(make("p", {}, "This panel reads files of yours: it needs the notebook."));
        } else {
            stillPicture(place)?.remove();
        }
        place.hidden = false;
    });
}

// The picture that stands in the page for readers without scripts.
function stillPicture(place) {
    const stills = [...document.querySelectorAll(".panel")];
    return stills.findLast(still => still.compareDocumentPosition(place) & 4);
}

function buildPanel(place, panel) {
    const [width, height] = panel.pixels;
    const backdrop = make("img", {src: "data:image/png;base64," + panel.backdrop, alt: ""});
    const marks = make("img", {className: "marks", alt: ""});
    const stage = make("div", {className: "stage"}, backdrop, marks);
    stage.style.maxWidth = `${panel.width}px`;
    const sentence = make("p", {className: "sentence"});
    sentence.setAttribute("role", "status");
    const table = make("div", {className: "listing"});
    const position = addControls(place, panel.controls, show);
    place.append(stage, sentence, table);
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

function buildExercise(place) {
    const id = place.dataset.exercise;
    const exercise = JSON.parse(document.getElementById(`exercise-${id}`).textContent);
    const verdict = make("p", {className: "verdict"});
    verdict.setAttribute("role", "status");
    const answer = exercise.kind === "choice" ? choiceForm(exercise) : numbersForm(exercise);
    const check = make("button", {type: "submit"}, "check");
    const hint = make("button", {type: "button"}, "hint");
    const form = make("form", {}, make("strong", {}, `Exercise ${id} `), ...answer.inputs, check,
                      hint);
    let hints = 0;
    form.addEventListener("submit", event => {
        event.preventDefault();
        const [right, words] = answer.judge();
        verdict.className = right ? "verdict right" : "verdict";
        write(verdict, words);
    });
    hint.addEventListener("click", () => {
        const many = exercise.hints.length;
        hints = Math.min(hints + 1, many);
        verdict.className = "verdict";
        write(verdict, `Hint ${hints} of ${many}. ${exercise.hints[hints - 1]}`);
    });
    place.append(form, verdict);
}

function choiceForm(exercise) {
    const list = (words, options) => {
        const made = Object.entries(options).map(([name, text]) =>
            make("option", {value: name}, text));
        const select = make("select", {}, make("option", {value: ""}, words), ...made);
        select.setAttribute("aria-label", words);
        return select;
    };
    const inputs = [list("your choice", exercise.choices), list("your reason", exercise.reasons)];
    const judge = () => {
        const pair = inputs.map(input => input.value).join("|");
        return exercise.verdicts[pair] ?? [false, exercise.asked];
    };
    return {inputs, judge};
}

function numbersForm(exercise) {
    const inputs = exercise.parts.map(part => {
        const input = make("input", {type: "text", size: 8, autocomplete: "off"});
        input.inputMode = "decimal";
        return make("label", {}, `${part} `, input);
    });
    const judge = () => {
        const texts = inputs.map(label => label.querySelector("input").value.trim());
        if (texts.some(text => text === "")) return [false, exercise.asked];
        const given = texts.map((text, k) => readNumber(text, exercise.right[k]));
        if (given.some(Number.isNaN)) {
            return [false, "Not yet: write numbers, with a point for decimals."];
        }
        return judgeNumbers(exercise, given);
    };
    return {inputs, judge};
}

// "5 %" is 0.05 or 5, whichever is nearer to what is right; "missing" is null.
function readNumber(text, right) {
    if (/^(nan|missing|none)$/i.test(text)) return null;
    const found = /^([-+−]?\d*\.?\d+(?:e[-+]?\d+)?)\s*(%?)$/i.exec(text.replaceAll(",", ""));
    if (!found) return NaN;
    const value = Number(found[1].replace("−", "-"));
    if (!found[2]) return value;
    return Math.abs(value / 100 - right) < Math.abs(value - right) ? value / 100 : value;
}

// The same order as in the notebook: right, then a usual mistake, then a remark.
function judgeNumbers(exercise, given) {
    const same = (one, other) => agree(exercise, one, other);
    const wrong = given.map((one, k) => !same(one, exercise.right[k]));
    if (!wrong.includes(true)) return [true, exercise.why];
    for (const [words, values] of exercise.mistakes) {
        const named = [...values.keys()].filter(k => values[k] !== null);
        const made = named.every(k => same(given[k], values[k]));
        const differs = named.some(k => !same(exercise.right[k], values[k]));
        if (named.length && made && differs) return [false, words];
    }
    const remarks = exercise.remarks[wrong.map(Number).join("")];
    const places = [...wrong.keys()].filter(k => wrong[k]);
    if (places.every(k => isPerCent(exercise, given[k], exercise.right[k]))) {
        return [false, remarks.percent];
    }
    const short = k => exercise.short[k].includes(given[k]) && given[k] !== 0;
    const cut = k => exercise.cut_off
        && Math.abs(given[k] - exercise.right[k]) < 10 ** -exercise.digits;
    if (places.every(k => short(k) || cut(k))) return [false, remarks.short];
    return [false, remarks.other];
}

function agree(exercise, given, value) {
    if (given === null || value === null) return given === value;
    const {digits, within} = exercise;
    if (within !== null) return Math.abs(given - value) <= within * (1 + 1e-9);
    const tolerance = digits === null ? 1e-9 : 0.5 * 10 ** -digits * (1 + 1e-9);
    return Math.abs(given - value) <= tolerance;
}

function isPerCent(exercise, given, right) {
    if (!exercise.digits || given === null || right === null) return false;
    const tolerance = 0.5 * 10 ** -exercise.digits * (1 + 1e-9);
    return Math.abs(right) > 0 && Math.abs(right) <= 1
        && Math.abs(given / 100 - right) <= tolerance;
}

// ------------------------------------------------------------------------------- the game

function buildGame(place, panel) {
    const keys = Object.keys(panel.games).map(key => key.split("|"));
    const unique = column => [...new Set(keys.map(key => key[column]))];
    const [numbers, percents] = [unique(0), unique(1)];
    const last = percents.length - 1;
    const position = addControls(place, [
        {label: "game number", kind: "menu", texts: numbers, start: 0},
        {label: "records redrawn (%)", kind: "buttons", texts: percents, start: last},
    ], deal);
    const description = make("p", {});
    const lineup = make("div", {className: "listing"});
    const row = make("div", {className: "guesses"});
    const sentence = make("p", {className: "sentence"});
    sentence.setAttribute("role", "status");
    const score = make("p", {className: "note"});
    place.append(description, lineup, row, sentence, score);
    let game, title, guesses, looksBack;

    function deal() {
        const [which, percent] = position();
        game = panel.games[`${numbers[which]}|${percents[percent]}`];
        title = `${percents[percent]} % redrawn`;
        [guesses, looksBack] = [[], false];
        show();
    }

    function found() {
        return guesses.filter((guess, k) => guess === game.rounds[k].right).length;
    }

    function show() {
        const played = guesses.length, over = played === game.rounds.length;
        const revealed = looksBack || over;
        const round = game.rounds[revealed ? played - 1 : played];
        write(description, round.description);
        lineup.innerHTML = revealed ? round.revealed : round.lineup;
        const letters = revealed ? [] : Object.keys(round.said).map(point);
        row.replaceChildren(...letters, ...(played && !over ? [lookBack()] : []));
        write(sentence, over ? game.summaries[found()] : said(played));
        write(score, played ? standing(played) : "");
    }

    // Explain the last guess and ask for the next one.
    function said(played) {
        const ask = `Target ${played + 1} of ${game.rounds.length} (${title}): which record is it? `
                    + "Press its letter.";
        return played ? `${game.rounds[played - 1].said[guesses.at(-1)]} ${ask}` : ask;
    }

    function standing(played) {
        const chance = game.chance[played - 1].toFixed(1), best = game.best[played - 1].toFixed(1);
        return `Found ${found()} of ${played}. Blind pointing finds ${chance} on average, the best `
               + `possible intruder ${best}.`;
    }

    function point(guess) {
        const button = make("button", {type: "button"}, guess);
        button.addEventListener("click", () => {
            guesses = [...guesses, guess];
            show();
            row.querySelector("button")?.focus({preventScroll: true});
        });
        return button;
    }

    function lookBack() {
        const button = make("button", {type: "button"}, looksBack ? "go on" : "look back");
        button.addEventListener("click", () => {
            looksBack = !looksBack;
            show();
        });
        return button;
    }

    deal();
}

document.querySelectorAll("[data-exercise]").forEach(buildExercise);
