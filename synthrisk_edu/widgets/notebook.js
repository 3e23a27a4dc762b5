// The picture of a panel in a notebook: what the kernel sends is shown, what is touched is told.

const STATE = ["alt", "width", "height", "hint", "marks", "edges", "handles", "heard", "joined",
               "appeared"];

function render({model, el}) {
    const life = new AbortController();
    const show = touchable(el, message => model.send(message), life.signal);
    let url = null, pixels = null;

    function update() {
        if (model.get("value") !== pixels) {
            pixels = model.get("value");
            const old = url;
            url = URL.createObjectURL(new Blob([pixels], {type: "image/png"}));
            if (old) setTimeout(() => URL.revokeObjectURL(old), 1000);
        }
        const state = Object.fromEntries(STATE.map(name => [name, model.get(name)]));
        show({...state, src: url});
    }

    model.on("change", update);
    update();
    attend(model, el);
    return () => {
        life.abort();
        model.off("change", update);
        URL.revokeObjectURL(url);
    };
}

export default {render};
