// Averages: a line from 0 to 1 for each average with a mark for each system, and a small shape for each passage: squares
// for the first system, diamonds for the second.

const AVERAGES = [
  ["macro", "Macro", "one vote for each question"],
  ["micro", "Micro", "one vote for each passage"],
  ["hit_rate", "Hit rate", "one hit is enough"],
];

export default view(({ model, data, root, say }) => {
  const { systems, questions, resized, rows } = data;
  const cutoffs = model.get("ranges").k[1];
  const most = Math.max(...questions.map(({ relevant }) => relevant));

  const averages = AVERAGES.map(([key, name, words]) => {
    const marks = systems.map((_, i) => element("span", { class: `rl-average-mark rl-system-${i}` }));
    const values = systems.map(() => element("strong", { class: "rl-average-value" }));
    const ahead = element("span", { class: "rl-average-ahead" });
    const row = element(
      "div",
      { class: "rl-average" },
      element("p", { class: "rl-average-name" }, name, element("span", { class: "rl-muted rl-small" }, words)),
      element("div", { class: "rl-average-scale", "aria-hidden": "true" }, ...marks),
      element("p", { class: "rl-average-values" }, ...systems.map((system, i) => systemValue(system, i, values[i])), ahead),
    );
    return { key, row, marks, values, ahead };
  });

  const lists = questions.map(({ title, relevant }, q) => {
    const size = element("span", { class: "rl-muted" });
    const lines = systems.map((system, i) => {
      const hits = element("strong", { class: "rl-found" });
      const passages = passageRow(most, i);
      const line = element("div", { class: "rl-found-line" }, systemName(system, i), hits, passages.element);
      return { line, hits, passages };
    });
    const found = lines.map(({ line }) => line);
    const row =
      q === resized
        ? element("div", { class: "rl-growing" }, slider(model, "size", `R of “${title}”`), ...found)
        : element("li", {}, element("p", {}, dataText(title), " ", size), ...found);
    return { relevant, row, size, lines };
  });

  const verdict = element("p", { class: "rl-question rl-verdict" });
  const fixed = lists.filter((_, q) => q !== resized);
  const shape = systems.length > 1 ? "Each square or diamond" : "Each square";
  root.append(
    resized === null ? "" : lists[resized].row,
    slider(model, "k", "Cutoff k"),
    verdict,
    element("div", { class: "rl-averages" }, ...averages.map(({ row }) => row)),
    element("ul", { class: "rl-found-lists" }, ...fixed.map(({ row }) => row)),
    element(
      "p",
      { class: "rl-muted rl-small" },
      `${shape} is a relevant passage: full where it is in the top k, hollow where it is not.`,
    ),
  );
  // Names and counts stand below each other, in columns as wide as the widest of them, a long name in two lines.
  root.style.setProperty("--name", `${Math.min(Math.max(...systems.map((system) => system.length)), 16)}ch`);
  root.style.setProperty("--count", `${2 * String(most).length + 1}ch`);

  return () => {
    const row = rows[(model.get("size") - 1) * cutoffs + model.get("k") - 1];
    for (const { key, marks, values, ahead } of averages) {
      systems.forEach((_, i) => {
        marks[i].style.left = `${row[key][i] * 100}%`;
        write(values[i], row.written[key][i]);
      });
      if (systems.length > 1) write(ahead, row.ahead[key]);
    }
    lists.forEach(({ relevant, size, lines }, q) => {
      const exist = q === resized ? row.size : relevant;
      write(size, exist ? `R = ${exist}` : "R = 0, nothing to find, left out");
      lines.forEach(({ line, hits, passages }, i) => {
        line.hidden = exist === 0;
        passages.draw(row.found[q][i], exist);
        write(hits, `${row.found[q][i]}/${exist}`);
      });
    });
    write(verdict, row.verdict);
    const told = AVERAGES.map(([key, name]) => `${name} ${systems.map((system, i) => `${system} ${row.written[key][i]}`).join(", ")}`);
    say(`${told.join("; ")}. ${row.verdict}`);
  };
});

// A system's sign and name; the signs differ in shape.
function systemName(system, i) {
  return element("span", { class: "rl-system" }, element("span", { class: `rl-system-sign rl-system-${i}` }), dataText(system));
}

function systemValue(system, i, value) {
  return element("span", { class: "rl-system-value" }, systemName(system, i), " ", value);
}

// Passages in a row, with room for `most` of them: the first `full` are filled, the others up to `all` hollow. Their
// shape and colour are those of the system's sign.
function passageRow(most, system) {
  const filled = drawing("path", { class: "rl-passage-full" });
  const hollow = drawing("path", { class: "rl-passage-hollow" });
  const width = Math.max(most, 10);
  const picture = drawing(
    "svg",
    { class: `rl-passages rl-system-${system}`, viewBox: `0 0 ${width} 1`, style: `--passages: ${width}`, "aria-hidden": "true" },
    filled,
    hollow,
  );
  const shape = system === 0 ? ".12h.76v.76h-.76Z" : ".5l.38-.44.38.44-.38.44Z";
  const shapes = (from, to) => Array.from({ length: to - from }, (_, i) => `M${from + i + 0.12} ${shape}`).join("");
  return {
    element: picture,
    draw(full, all) {
      filled.setAttribute("d", shapes(0, full));
      hollow.setAttribute("d", shapes(full, all));
    },
  };
}
