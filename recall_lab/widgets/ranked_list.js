// The ranked list with its cut at k, and what the first k are worth. All numbers are looked up in data.rows.

const MEASURES = [
  ["recall", "Recall"],
  ["precision", "Precision"],
  ["hit_rate", "Hit rate"],
  ["ceiling", "Ceiling"],
];

export default view(({ model, data, root, say }) => {
  const { rows, passages } = data;
  const column = (key) => rows.map((row) => row[key].value);
  const traces = MEASURES.map(([key]) => trace(column(key), key === "recall" ? column("ceiling") : []));
  const tiles = traces.map(numberTile);
  const lines = passages.map(line);
  const list = element("ol", { class: "rl-list", tabindex: 0, "aria-label": "Ranked passages" }, ...lines);

  if (data.question) root.append(dataText(data.question, "p", { class: "rl-question" }));
  root.append(
    element("p", { class: "rl-muted rl-small" }, data.known),
    slider(model, "k", "Cutoff k"),
    tileRow(...tiles),
    passages.length ? list : element("p", {}, "The list is empty: nothing was retrieved."),
    missed(data),
  );

  let drawnEnd = 0;
  return () => {
    const k = model.get("k");
    const row = rows[k - 1];
    MEASURES.forEach(([key, name], i) => {
      tiles[i].show(`${name}@${k}`, row[key].written, row[key].words);
      traces[i].draw(k);
    });
    // Only the lines from the old cut to the new one change.
    const end = Math.min(k, lines.length);
    const [first, last] = drawnEnd ? [Math.min(drawnEnd, end) - 1, Math.max(drawnEnd, end)] : [0, lines.length];
    lines.slice(first, last).forEach((node, i) => cut(node, passages[first + i], first + i + 1, k, lines.length));
    drawnEnd = end;
    if (lines.length) keepVisible(list, lines[Math.min(k, lines.length - 1)]); // the cut, and what waits below it
    say(row.summary);
  };
});

function line(passage, index) {
  const head = element("div", { class: "rl-head" });
  if (passage.title) head.append(dataText(passage.title, "span", { class: "rl-title" }));
  head.append(dataText(passage.id, "span", { class: "rl-id" }), element("span", { class: "rl-mark" }));
  const body = element("div", {}, head);
  if (passage.snippet) body.append(dataText(passage.snippet, "p", { class: "rl-snippet" }));
  const rank = element("span", { class: "rl-rank" }, String(index + 1));
  return element("li", {}, element("div", { class: "rl-row" }, rank, body));
}

// Marks one line as counted or not, and draws the cut under the last that counts.
function cut(node, passage, rank, k, length) {
  const counts = rank <= k;
  node.classList.toggle("rl-relevant", passage.relevant);
  node.classList.toggle("rl-counts", counts);
  node.classList.toggle("rl-beyond", !counts);
  const mark = passage.relevant ? (counts ? "● relevant" : "○ relevant below the cut") : passage.note;
  write(node.querySelector(".rl-mark"), mark);
  if (rank === Math.min(k, length)) {
    node.dataset.cut = k > length ? `end of the list; k = ${k} reaches past it` : `cut at k = ${k}`;
  } else {
    delete node.dataset.cut;
  }
}

// The relevant passages that no cutoff can reach, because they are not in the list.
function missed({ missed, missed_more }) {
  if (!missed.length) return "";
  const note = element("p", { class: "rl-muted rl-small" }, "Relevant, but not in this list: ");
  missed.forEach((passage, i) => {
    if (i) note.append(", ");
    if (passage.title) note.append(dataText(passage.title), " ");
    note.append(dataText(passage.id, "bdi", { class: "rl-id" }));
  });
  if (missed_more) note.append(` and ${missed_more} more`);
  return note;
}
