// Averages: a line from 0 to 1 for each average with a mark for each system, and a square for each passage.

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

  const lists = questions.map(({ title, relevant }) => {
    const size = element("span", { class: "rl-muted" });
    const lines = systems.map((system, i) => {
      const hits = element("strong", { class: "rl-found" });
      const squares = squareRow(most);
      const line = element("div", { class: "rl-found-line" }, systemName(system, i), hits, squares.element);
      return { line, hits, squares };
    });
    const row = element("li", {}, element("p", {}, dataText(title), " ", size), ...lines.map(({ line }) => line));
    return { relevant, row, size, lines };
  });

  const verdict = element("p", { class: "rl-question rl-verdict" });
  root.append(
    slider(model, "k", "Cutoff k"),
    resized === null ? "" : slider(model, "size", `R of “${questions[resized].title}”`),
    verdict,
    element("div", { class: "rl-averages" }, ...averages.map(({ row }) => row)),
    element("ul", { class: "rl-found-lists" }, ...lists.map(({ row }) => row)),
    element(
      "p",
      { class: "rl-muted rl-small" },
      "Each square is a relevant passage: full where it is in the top k, hollow where it is not.",
    ),
  );

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
      lines.forEach(({ line, hits, squares }, i) => {
        line.hidden = exist === 0;
        squares.draw(row.found[q][i], exist);
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

// Squares in a row, with room for `most` of them: the first `full` are filled, the others up to `all` hollow.
function squareRow(most) {
  const filled = drawing("path", { class: "rl-square-full" });
  const hollow = drawing("path", { class: "rl-square-hollow" });
  const width = Math.max(most, 10);
  const picture = drawing(
    "svg",
    { class: "rl-squares", viewBox: `0 0 ${width} 1`, style: `--squares: ${width}`, "aria-hidden": "true" },
    filled,
    hollow,
  );
  const squares = (from, to) => Array.from({ length: to - from }, (_, i) => `M${from + i + 0.12} .12h.76v.76h-.76Z`).join("");
  return {
    element: picture,
    draw(full, all) {
      filled.setAttribute("d", squares(0, full));
      hollow.setAttribute("d", squares(full, all));
    },
  };
}
