// The kit all views are drawn with. It is put in front of a view's own script, so these names are simply there.
// Nothing here knows a measure: numbers come from Python in model.get("data"), ready to be looked up.

// Makes a view's module. `build` gets { model, data, root, say }: the shared model, Python's data, the element to
// fill, and `say(sentence)` for screen readers. It returns `paint`, which is called now and after every change: at
// once, then at most once a frame and always with the newest state, so fast dragging never queues old pictures.
function view(build) {
  return {
    render({ model, el }) {
      const root = element("div", { class: "rl", role: "group", "aria-label": model.get("_title") });
      const spoken = element("p", { class: "rl-spoken", role: "status", "aria-live": "polite" });
      let sentence = "";
      let paint;
      const make = () => {
        root.replaceChildren();
        paint = build({ model, data: model.get("data"), root, say: (text) => (sentence = text) });
        root.append(spoken);
        // JupyterLab would take the arrow keys of whatever has the focus, unless it is told not to.
        for (const control of root.querySelectorAll("input, select, button, [tabindex]")) {
          control.setAttribute("data-lm-suppress-shortcuts", "true");
        }
      };
      let frame = 0;
      let changedSince = false;
      const draw = () => {
        if (frame) {
          changedSince = true;
          return;
        }
        frame = requestAnimationFrame(() => {
          frame = 0;
          moveIntoRange(model);
          if (changedSince) {
            changedSince = false;
            draw();
          }
        });
        if (isInRange(model)) paint();
      };
      let rest = 0;
      const settle = () => {
        write(spoken, sentence);
        tellKernel(model, { settled: true });
      };
      const changed = () => {
        draw();
        clearTimeout(rest);
        rest = setTimeout(settle, 600); // speak, and renew the saved words, only when the reader has stopped moving
      };
      make();
      el.replaceChildren(root);
      draw();
      model.on("change:data", make);
      model.on("change", changed);
      return () => {
        model.off("change:data", make);
        model.off("change", changed);
        cancelAnimationFrame(frame);
        clearTimeout(rest);
      };
    },
  };
}

// A linked widget may run further than the view. The view stops at its end and, a frame later, when the link is
// free to answer, takes the other one back with it.
function inRange(model) {
  const within = {};
  for (const [name, [low, high]] of Object.entries(model.get("ranges"))) {
    within[name] = Math.min(Math.max(Math.round(model.get(name)), low), high);
  }
  for (const [name, offered] of Object.entries(model.get("options"))) {
    within[name] = offered.includes(model.get(name)) ? model.get(name) : offered[0];
  }
  return within;
}

function isInRange(model) {
  return Object.entries(inRange(model)).every(([name, value]) => model.get(name) === value);
}

function moveIntoRange(model) {
  for (const [name, value] of Object.entries(inRange(model))) {
    if (model.get(name) !== value) change(model, name, value);
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

// Changes a text only if it is another one: an untouched element costs the browser nothing.
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
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

// Radio buttons under a visible legend. `pick(i)` is called when number i is chosen; `show(i)` marks it as chosen.
function radios(legend, texts, pick) {
  const group = freshId();
  const inputs = texts.map((text, i) => {
    const input = element("input", { type: "radio", name: group });
    input.addEventListener("change", () => pick(i));
    return input;
  });
  const labels = texts.map((text, i) => element("label", {}, inputs[i], dataText(text)));
  return {
    element: element("fieldset", { class: "rl-choice" }, element("legend", {}, legend), ...labels),
    show: (chosen) => inputs.forEach((input, i) => (input.checked = i === chosen)),
  };
}

// The radio buttons of a choice trait. `word(option)` writes an option.
function choice(model, name, legend, word = String) {
  const options = model.get("options")[name];
  const group = radios(legend, options.map(word), (i) => change(model, name, options[i]));
  const show = () => group.show(options.indexOf(model.get(name)));
  model.on(`change:${name}`, show);
  show();
  return group.element;
}

// A row of numbers.
function tileRow(...tiles) {
  return element("div", { class: "rl-tiles" }, ...tiles.map((tile) => tile.element));
}

// A number with its name, a few words and, where it is given, a trace of how it got there.
function numberTile(history = null) {
  const label = element("p", { class: "rl-tile-name" });
  const value = element("p", { class: "rl-tile-value" });
  const words = element("p", { class: "rl-tile-words" });
  const picture = history ? [history.picture] : [];
  return {
    element: element("div", { class: "rl-tile" }, label, value, ...picture, words),
    show(name, written, saying = "") {
      write(label, name);
      write(value, written);
      write(words, saying);
    },
  };
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

// A picture with axes. Positions run from 0 to 1, from left to right and from bottom to top. Lines are SVG stretched
// to the space there is; what is written is HTML over it, so that text keeps its size on every screen. A screen reader
// skips it: the numbers beside it say the same.
function plot(yTicks) {
  const lines = drawing("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none" });
  const written = element("div", { class: "rl-plot-text" });
  for (const { at, text } of yTicks) {
    lines.append(drawing("path", { class: "rl-plot-grid", d: `M0 ${1 - at}H1` }));
    written.append(element("span", { class: "rl-plot-y", style: `bottom: ${at * 100}%` }, text));
  }
  const box = element("div", { class: "rl-plot", "aria-hidden": "true" }, lines, written);
  let xTicks = [];
  return {
    element: box,
    nameAxes(x, y) {
      box.classList.add("rl-plot-named");
      written.append(element("span", { class: "rl-plot-x-name" }, x), element("span", { class: "rl-plot-y-name" }, y));
    },
    line(name) {
      const path = drawing("path", { class: `rl-plot-line rl-plot-${name}` });
      lines.append(path);
      return (d) => path.setAttribute("d", d);
    },
    note(name) {
      const note = element("span", { class: `rl-plot-note rl-plot-${name}` });
      written.append(note);
      return (x, y, text) => {
        note.style.left = `${x * 100}%`;
        note.style.bottom = `${y * 100}%`;
        note.classList.toggle("rl-plot-leftwards", x > 0.6);
        write(note, text);
      };
    },
    level(name) {
      const mark = element("span", { class: `rl-plot-y rl-plot-${name}` });
      written.append(mark);
      return (y, text) => {
        mark.style.bottom = `${y * 100}%`;
        write(mark, text);
      };
    },
    xAxis(ticks) {
      xTicks.forEach((tick) => tick.remove());
      xTicks = ticks.map(({ at, text }) => element("span", { class: "rl-plot-x", style: `left: ${at * 100}%` }, text));
      written.append(...xTicks);
    },
  };
}

// The path through points [x, y] (0 to 1): straight, or as a staircase that holds each value until the next point.
function pathOf(points, staircase = false) {
  return points
    .map(([x, y], i) => (i === 0 ? `M${x} ${1 - y}` : staircase ? `H${x}V${1 - y}` : `L${x} ${1 - y}`))
    .join("");
}

// What the lines of a plot mean: pairs of a line's name and its meaning.
function legend(...entries) {
  const items = entries.map(([name, meaning]) => {
    const sample = drawing("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
    const d = name === "band" ? "M0 0H1V1H0Z" : "M0 .5H1";
    sample.append(drawing("path", { class: `rl-plot-line rl-plot-${name}`, d }));
    return element("li", {}, sample, meaning);
  });
  return element("ul", { class: "rl-legend" }, ...items);
}

// Scrolls a list, and only the list, so that one of its lines can be seen.
function keepVisible(list, line) {
  const top = line.offsetTop - list.offsetTop;
  const bottom = top + line.offsetHeight;
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  else if (top < list.scrollTop) list.scrollTop = top;
}
