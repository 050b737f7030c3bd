// Convention switches: radio buttons for each convention, and the number their combination gives on a line.

export default view(({ model, data, root, say }) => {
  const { measure, note, conventions, rows } = data;
  const right = rows[0];
  const number = element("p", { class: "rl-figure" });
  const verdict = element("p", { class: "rl-muted" });
  const working = element("p", { class: "rl-muted rl-small rl-working" });
  const scale = plot([]);
  scale.element.classList.add("rl-plot-flat");
  scale.xAxis([0, 0.25, 0.5, 0.75, 1].map((at, i) => ({ at, text: ["0", ".25", ".50", ".75", "1"][i] })));
  const [axis, met, rightMark, dot] = ["axis", "met", "mark", "dot"].map(scale.line);
  const rightNote = scale.note("mark");
  const seen = new Set();
  const count = element("p", { class: "rl-muted rl-small" });

  const switches = conventions.map(({ name, options }) => {
    const group = radios(name, options, (i) => change(model, "picks", { ...model.get("picks"), [name]: options[i] }));
    return { ...group, name, options };
  });
  root.append(
    note ? dataText(note, "p", { class: "rl-muted rl-small" }) : "",
    element("div", { class: "rl-switches" }, ...switches.map((group) => group.element)),
    number,
    verdict,
    scale.element,
    count,
    working,
  );
  axis("M0 .5H1");
  if (right.value !== null) {
    rightMark(`M${right.value} 0V1`);
    rightNote(right.value, 1, `convention: ${right.written}`);
  }

  return () => {
    const picks = model.get("picks");
    let index = 0;
    let switched = 0;
    for (const { name, options, element, show } of switches) {
      const picked = options.indexOf(picks[name]);
      index = index * options.length + picked;
      switched += picked > 0;
      show(picked);
      element.classList.toggle("rl-switched", picked > 0);
    }
    const row = rows[index];
    seen.add(row.written);
    write(number, `${switched ? `“${measure}”` : measure} ${row.written.startsWith("≈") ? "" : "= "}${row.written}`);
    write(verdict, words(switched, row, right));
    write(working, row.working);
    write(count, `${seen.size} different ${seen.size === 1 ? "number" : "numbers"} so far, from the same data`);
    dot(row.value === null ? "" : `M${Math.min(row.value, 1)} .5h0`);
    met(rows.filter(({ written, value }) => value !== null && seen.has(written)).map(({ value }) => `M${value} .3V.7`).join(""));
    say(`${number.textContent}. ${verdict.textContent}`);
  };
});

function words(switched, row, right) {
  if (!switched) return "every switch follows the convention";
  const what = switched === 1 ? "one switch" : `${switched} switches`;
  return row.written === right.written
    ? `${what} turned, and the number is the same: here it cannot tell them apart`
    : `${what} turned; the convention gives ${right.written}`;
}
