// Kappa padded: three curves over the number of easy pairs added, and the pairs that were there, unmoved.

export default view(({ model, data, root, say }) => {
  const { pairs, agreed, rows } = data;
  const most = rows.length - 1;
  const [kappa, raw, chance, before] = Array.from({ length: 4 }, () => numberTile());
  const picture = plot([0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: ["0", ".25", ".50", ".75", "1"][at * 4] })));
  const [observedLine, chanceLine, kappaLine, cursor, dot] = ["ceiling", "random", "main", "cursor", "dot"].map(picture.line);
  const note = picture.note("cursor");
  const height = (value) => Math.max(0, value);
  const along = (name) =>
    pathOf(rows.filter((row) => row[name] !== null).map((row) => [row.added / most, height(row[name])]));

  kappaLine(along("kappa"));
  observedLine(along("observed"));
  chanceLine(along("chance"));
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => most / size <= 6);
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  picture.xAxis(ticks.map((at) => ({ at: at / most, text: String(at) })));
  root.append(
    element("p", { class: "rl-question" }, `${pairs} labelled pairs, and easy ones added`),
    slider(model, "added", "Easy pairs added"),
    tileRow(kappa, raw, chance, before),
    legend(["main", "kappa"], ["ceiling", "raw agreement"], ["random", "agreement by chance"]),
    picture.element,
    element("p", { class: "rl-muted rl-small" }, "From left to right: easy pairs added, each called not relevant by both."),
  );

  return () => {
    const added = model.get("added");
    const row = rows[added];
    const x = added / most;
    cursor(`M${x} 0V1`);
    dot(row.kappa === null ? "" : `M${x} ${1 - height(row.kappa)}h0`);
    note(x, 0.02, `${added} added`);
    kappa.show("Kappa", row.written.kappa, `of all ${pairs + added} pairs`);
    raw.show("Raw agreement", row.written.observed, `${agreed + added} of ${pairs + added}`);
    chance.show("By chance", row.written.chance, "two loaded dice");
    before.show(`The first ${pairs}`, `${agreed} of ${pairs}`, "alike, as before");
    say(`${added} easy pairs added: kappa ${row.written.kappa}, raw agreement ${row.written.observed}`);
  };
});
