// Brings views to life in a page without a kernel: each gets a model filled from the JSON beside it.
// Views of one kind share a module; it is written into the page once, as text, and loaded from there.

function localModel(traits) {
  const values = { ...traits };
  const callbacks = new Map();
  const tell = (event) => [...(callbacks.get(event) ?? [])].forEach((callback) => callback());
  return {
    get: (name) => values[name],
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      tell(`change:${name}`);
      tell("change");
    },
    on: (event, callback) => callbacks.set(event, [...(callbacks.get(event) ?? []), callback]),
    off: (event, callback) => callbacks.set(event, (callbacks.get(event) ?? []).filter((kept) => kept !== callback)),
    save_changes() {}, // nobody to tell
    send() {},
  };
}

const modules = new Map();
function load(name) {
  if (!modules.has(name)) {
    const source = JSON.parse(document.querySelector(`script[data-recall-lab-module="${name}"]`).textContent);
    modules.set(name, import(URL.createObjectURL(new Blob([source], { type: "text/javascript" }))));
  }
  return modules.get(name);
}

for (const place of document.querySelectorAll("[data-recall-lab-view]:not([data-alive])")) {
  place.dataset.alive = "";
  const traits = JSON.parse(place.querySelector("script").textContent);
  const { default: view } = await load(place.dataset.recallLabView);
  view.render({ model: localModel(traits), el: place.querySelector("[data-recall-lab-picture]") });
}
