// The labelling desk. The kernel keeps the labels: a key or a button asks it, and nothing moves until it has answered
// that the label is on disk. `shown` is its answer.

const NO_ANSWER =
  "No answer from the kernel, so this is not saved yet; everything before it is. If the kernel is busy, wait: it " +
  "answers when it is done. If it was restarted, run this cell again (Shift+Enter): the desk goes on where it was.";

export default view(({ model, data, root, say }) => {
  const alive = Boolean(model.widget_manager); // a static page has none, and no kernel to keep a label
  const shown = () => model.get("shown");
  let marked = null; // the passage that keys and buttons are about, by its place in the list
  let wanted = null; // the passage to mark after the answer; null for the one the kernel names
  let waiting = false;
  let answered = 0;
  let drawnGroup = null;
  let slow = 0;

  const progress = element("progress", { "aria-label": "Progress" });
  const progressWords = element("span");
  const question = element("p", { class: "rl-question", dir: "auto" });
  const count = element("p", { class: "rl-muted rl-small" });
  const list = element("ol", { class: "rl-desk-list", tabindex: 0, "aria-label": "Passages" });
  const error = element("p", { class: "rl-desk-error", role: "alert" });
  const status = element("p", { class: "rl-muted rl-small rl-desk-status" });
  const note = element("input", { type: "text", id: freshId(), "aria-keyshortcuts": "n", dir: "auto" });
  let rows = [];

  const savedNote = () => shown().items[marked]?.note ?? "";
  const draft = () => (marked !== null && note.value.trim() !== savedNote() ? note.value : null);

  function ask(message, then = null) {
    if (!alive || waiting) return;
    wanted = then;
    waiting = true;
    error.hidden = true;
    try {
      model.send({ ...message, item: marked, step: shown().step, note: draft() });
    } catch {
      unanswered();
      return;
    }
    slow = setTimeout(unanswered, 5000);
  }

  function unanswered() {
    waiting = false; // pressing again does no harm: the kernel refuses what comes twice
    write(status, "");
    write(error, NO_ANSWER);
    error.hidden = false;
  }

  const grade = (value) => marked !== null && ask({ act: "label", grade: value });
  const skip = () => marked !== null && ask({ act: "skip" });
  const undo = () => shown().undo && ask({ act: "undo" });
  const saveNote = () => {
    root.focus({ preventScroll: true });
    if (draft() !== null) ask({ act: "note" }, marked);
  };

  // Another passage of the list; a note that is being written is saved first.
  function mark(place) {
    if (draft() !== null && alive) {
      ask({ act: "note" }, place);
    } else {
      marked = place;
      showMarked();
    }
  }

  const keyed = new Map(data.grades.map(({ grade: value }) => [String(value), () => grade(value)]));
  keyed.set("s", skip).set("u", undo).set("n", () => marked !== null && note.focus());

  // The whole desk keeps its keys from JupyterLab, where x cuts the cell and 0 0 restarts the kernel. With a tabIndex,
  // a press on plain text gives the desk the focus, so that the keys are its own from then on.
  // Until then the page says so: after Shift+Enter the focus is in the next cell, and a key would land there.
  root.tabIndex = -1;
  root.setAttribute("data-lm-suppress-shortcuts", "true");
  const wake = element("p", { class: "rl-desk-wake" });
  const showFocus = (here) => {
    root.classList.toggle("rl-desk-asleep", alive && !here);
    write(wake, here ? "The keys work." : "Click here first, then use the keys.");
  };
  root.addEventListener("focusin", () => showFocus(true));
  root.addEventListener("focusout", ({ relatedTarget }) => showFocus(root.contains(relatedTarget)));
  wake.addEventListener("click", () => root.focus({ preventScroll: true }));
  wake.hidden = !alive;
  showFocus(root.contains(root.getRootNode().activeElement));
  root.onkeydown = (event) => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target === note) {
      if (event.key === "Enter") saveNote();
      else if (event.key === "Escape") {
        note.value = savedNote();
        root.focus({ preventScroll: true });
      } else return;
    } else {
      const act = keyed.get(event.key.toLowerCase());
      if (!act) {
        if (event.key === " " && event.target === root) event.preventDefault(); // it would scroll the page away
        return;
      }
      if (!event.repeat) act(); // a key held down grades one passage, not a hundred
    }
    event.preventDefault();
  };

  function button(key, words, act, attributes = {}) {
    const made = element("button", { type: "button", "aria-keyshortcuts": key, ...attributes }, element("kbd", {}, key));
    made.append(words);
    made.disabled = !alive;
    made.addEventListener("click", act);
    return made;
  }

  const grades = data.grades.map(({ grade: value, meaning }) =>
    button(String(value), meaning || `grade ${value}`, () => grade(value), { class: "rl-desk-grade" }),
  );
  const others = [button("s", "skip", skip), button("u", "undo", undo)];
  const save = element("button", { type: "button" }, "Save note");
  save.addEventListener("click", saveNote);
  save.disabled = note.disabled = !alive;
  const noteLine = element(
    "div",
    { class: "rl-desk-note" },
    element("label", { for: note.id }, element("kbd", {}, "n"), "note"),
    note,
    save,
  );
  const acts = element("div", { class: "rl-desk-acts" }, ...grades, ...others);
  const passages = element("div", { class: "rl-desk-passages" }, question, count, list, wake, noteLine, acts, error, status);
  const sheet = data.rubric.length ? [rubric(data.rubric)] : [];

  root.append(
    element("div", { class: "rl-desk-progress" }, progress, progressWords),
    choice(model, "passages", "Passages"),
    element("div", { class: "rl-desk" }, passages, ...sheet),
    ...data.notices.map((notice) => dataText(notice, "p", { class: "rl-muted rl-small" })),
    element("p", { class: "rl-muted rl-small" }, "Labels are kept in ", dataText(data.file)),
  );

  function drawRows() {
    const group = freshId();
    rows = shown().items.map((item, place) => row(item, group, () => mark(place)));
    list.replaceChildren(...rows.map(({ line }) => line));
    drawnGroup = shown().group;
  }

  function showMarked() {
    const { items, first, of } = shown();
    const one = model.get("passages") === model.get("options").passages[0];
    list.classList.toggle("rl-desk-one", one);
    rows.forEach(({ line, radio, state }, place) => {
      const { grade: given, note: written } = items[place];
      const said = [given === null ? "" : `✓ grade ${given}`, written && `note: ${written}`].filter(Boolean);
      radio.checked = place === marked;
      line.classList.toggle("rl-desk-now", place === marked);
      line.hidden = one && place !== marked;
      write(state, said.join(" · "));
    });
    const range = one || of === 1 ? `Passage ${first + (marked ?? 0)}` : `Passages ${first} to ${first + items.length - 1}`;
    write(count, marked === null ? "" : `${range} of ${of} for this question`);
    note.value = savedNote();
    if (marked !== null) keepVisible(list, rows[marked].line);
  }

  return () => {
    const now = shown();
    if (now.answer === answered) {
      showMarked(); // only the way of showing was changed
      return;
    }
    answered = now.answer;
    clearTimeout(slow);
    waiting = false;
    const focused = root.getRootNode().activeElement;
    const inList = list.contains(focused);
    if (now.group !== drawnGroup) {
      drawRows();
      wanted = null;
    }
    write(error, now.error);
    error.hidden = !now.error;
    if (!now.error || marked === null) {
      marked = wanted ?? now.now;
      showMarked();
    }
    progress.max = Math.max(now.total, 1);
    progress.value = now.labelled;
    write(progressWords, now.progress);
    write(question, now.question || now.finished);
    write(status, now.said);
    for (const node of [list, noteLine, ...grades, others[0]]) node.hidden = marked === null;
    others[1].setAttribute("aria-disabled", String(!now.undo));
    // What had the focus may be gone. The desk keeps it, or the next key would be JupyterLab's.
    if (inList && marked !== null) rows[marked].radio.focus({ preventScroll: true });
    else if (focused && root.contains(focused) && !focused.offsetParent) root.focus({ preventScroll: true });
    else if (inList) root.focus({ preventScroll: true });
    say(spoken(now, marked));
  };
});

// What a screen reader says of an answer: what was done, how far it is, and the passage that is on the desk now.
function spoken(now, marked) {
  if (now.error) return "";
  const item = now.items[marked];
  const next = item ? `Question: ${now.question} Passage: ${item.title} ${item.text.slice(0, 500)}` : now.finished;
  return [now.said, now.progress, next].filter(Boolean).join(". ");
}

// A passage, with a radio button that marks it; where one passage shows at a time, the button is out of sight.
function row({ title, text, cut }, group, pick) {
  const radio = element("input", { type: "radio", name: group });
  const state = element("span", { class: "rl-mark" });
  const head = element("span", { class: "rl-head" });
  if (title) head.append(dataText(title, "span", { class: "rl-title" }));
  head.append(state);
  const body = element("span", { class: "rl-desk-body" }, head, dataText(text, "span", { class: "rl-desk-text" }));
  if (cut) body.append(element("span", { class: "rl-muted rl-small" }, cut));
  radio.addEventListener("change", pick);
  const label = element("label", { class: "rl-desk-row" }, radio, body);
  return { line: element("li", {}, label), radio, state };
}

function rubric(lines) {
  const made = element("div", { class: "rl-desk-rubric", tabindex: 0, role: "group", "aria-label": "Rubric" });
  for (const { kind, text } of lines) made.append(dataText(text, "p", { class: `rl-desk-${kind}` }));
  return element("details", { open: "" }, element("summary", {}, "Rubric"), made);
}
