// The kit all views are drawn with. It is put in front of a view's own script, so these names are simply there.
// Nothing here knows a measure: numbers come from Python in model.get("data"), ready to be looked up.

// Makes a view's module. `build` gets { model, data, root, say }: the shared model, Python's data, the element to
// fill, and `say(sentence)` for screen readers. It returns `paint`, which is called now and after every change, at
// most once a frame and always with the newest state, so fast dragging never shows an old picture late.
function view(build) {
  return {
    render({ model, el }) {
      const root = element("div", { class: "rl", role: "group", "aria-label": model.get("_title") });
      const spoken = element("p", { class: "rl-spoken", role: "status", "aria-live": "polite" });
      let sentence = "";
      const paint = build({ model, data: model.get("data"), root, say: (text) => (sentence = text) });
      root.append(spoken);
      // JupyterLab would take the arrow keys of whatever has the focus, unless it is told not to.
      for (const control of root.querySelectorAll("input, select, button, [tabindex]")) {
        control.setAttribute("data-lm-suppress-shortcuts", "true");
      }
      el.replaceChildren(root);

      let frame = 0;
      let rest = 0;
      const draw = () => {
        frame = 0;
        keepInRange(model);
        paint();
      };
      const settle = () => {
        if (sentence !== spoken.textContent) spoken.textContent = sentence;
        tellKernel(model, { settled: true });
      };
      const changed = () => {
        if (!frame) frame = requestAnimationFrame(draw);
        clearTimeout(rest);
        rest = setTimeout(settle, 600); // speak, and renew the saved words, only when the reader has stopped moving
      };
      draw();
      model.on("change", changed);
      return () => {
        model.off("change", changed);
        cancelAnimationFrame(frame);
        clearTimeout(rest);
      };
    },
  };
}

// A linked widget may run further than the view. The view stops at its end and takes the link back with it.
function keepInRange(model) {
  for (const [name, [low, high]] of Object.entries(model.get("ranges"))) {
    const value = model.get(name);
    const nearest = Math.min(Math.max(Math.round(value), low), high);
    if (nearest !== value) change(model, name, nearest);
  }
}

function change(model, name, value) {
  model.set(name, value);
  model.save_changes();
}

function tellKernel(model, message) {
  try {
    model.send(message);
  } catch {
    // The kernel has gone; a tabulated view lives on without it.
  }
}

// An HTML element. Strings among the children become text, never markup.
function element(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

// The same for SVG.
function drawing(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Text that comes from data, kept from spilling its writing direction over its neighbours.
function dataText(text, tag = "bdi", attributes = {}) {
  return element(tag, { dir: "auto", ...attributes }, text);
}

let lastId = 0;
function freshId() {
  lastId += 1;
  return `rl-${Math.random().toString(36).slice(2, 8)}-${lastId}`; // several copies of this kit may share a page
}

// A slider and a number box for one whole-number trait, with one visible label for both.
function slider(model, name, label) {
  const [low, high] = model.get("ranges")[name];
  const id = freshId();
  const limits = { min: low, max: high, step: 1 };
  const range = element("input", { type: "range", id, ...limits });
  const box = element("input", { type: "number", "aria-label": `${label}, typed`, inputmode: "numeric", ...limits });
  const show = () => {
    const value = String(model.get(name));
    if (range.value !== value) range.value = value;
    if (box.value !== value) box.value = value;
  };
  range.addEventListener("input", () => change(model, name, Number(range.value)));
  // While it is being typed a number may be empty or out of range ("1" on the way to "12"): wait for a good one.
  box.addEventListener("input", () => {
    const value = Number(box.value);
    if (box.value !== "" && Number.isInteger(value) && value >= low && value <= high) change(model, name, value);
  });
  box.addEventListener("change", show);
  model.on(`change:${name}`, show);
  show();
  return element("div", { class: "rl-slider" }, element("label", { for: id }, label), range, box);
}

// A small staircase of values between 0 and 1, one per step; null (undefined) leaves a gap. `under` is drawn dotted
// behind it, such as the ceiling. `draw(n)` shows the first n steps and a dot at the last.
function trace(values, under = []) {
  const height = 30;
  const width = Math.max(values.length, 1);
  const stairs = (steps) => {
    let path = "";
    let gap = true;
    steps.forEach((value, i) => {
      if (value !== null) {
        const y = (1 - value) * height;
        path += `${gap ? "M" : "L"}${i} ${y}H${i + 1}`;
      }
      gap = value === null;
    });
    return path;
  };
  const line = drawing("path", { class: "rl-trace-line" });
  const dot = drawing("path", { class: "rl-trace-dot" });
  const limit = drawing("path", { class: "rl-trace-under" });
  const picture = drawing(
    "svg",
    { class: "rl-trace", viewBox: `0 -3 ${width} ${height + 6}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    drawing("path", { class: "rl-trace-frame", d: `M0 0H${width}M0 ${height}H${width}` }),
    limit,
    line,
    dot,
  );
  return {
    picture,
    draw(n) {
      const last = values[n - 1];
      line.setAttribute("d", stairs(values.slice(0, n)));
      limit.setAttribute("d", stairs(under.slice(0, n)));
      dot.setAttribute("d", last == null ? "" : `M${n} ${(1 - last) * height}h0`);
    },
  };
}

// A number with its name, a trace of how it got there, and a few words.
function numberTile(name, values, under = []) {
  const label = element("p", { class: "rl-tile-name" }, name);
  const value = element("p", { class: "rl-tile-value" });
  const words = element("p", { class: "rl-tile-words" });
  const history = trace(values, under);
  return {
    element: element("div", { class: "rl-tile" }, label, value, history.picture, words),
    show(nameNow, written, saying, steps) {
      label.textContent = nameNow;
      value.textContent = written;
      words.textContent = saying;
      history.draw(steps);
    },
  };
}

// Scrolls a list, and only the list, so that one of its lines can be seen.
function keepVisible(list, line) {
  const top = line.offsetTop - list.offsetTop;
  const bottom = top + line.offsetHeight;
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  else if (top < list.scrollTop) list.scrollTop = top;
}
