// The recall curve with its ceiling, band, random order and elbow. Only positions are worked out here.

export default view(({ model, data, root, say }) => {
  const { rows, random, elbows } = data;
  const last = rows.length;
  const epsilons = model.get("options").epsilon;
  const hasBand = rows[0].low !== null;
  const hasCorpus = Object.keys(random).length > 0;
  const [recall, ceiling, order, left] = Array.from({ length: 4 }, () => numberTile());
  const elbowWords = element("p", { class: "rl-muted rl-small" });

  const picture = plot([0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: ["0", ".25", ".50", ".75", "1"][at * 4] })));
  picture.nameAxes("cutoff k", "recall@k");
  const [band, ceilingLine, randomLine, curve, span, cursor, dot] = [
    "band", "ceiling", "random", "main", "mark", "cursor", "dot",
  ].map(picture.line);
  const [elbowNote, cursorNote] = ["mark", "cursor"].map(picture.note);

  root.append(
    element("p", { class: "rl-question" }, dataText(data.heading)),
    slider(model, "k", "Cutoff k"),
    element(
      "div",
      { class: "rl-controls" },
      choice(model, "scale", "Scale of k"),
      choice(model, "epsilon", "Close enough ε", (value) => String(value).replace("0.", ".")),
      hasCorpus ? choice(model, "corpus_size", "Passages N", grouped) : "",
    ),
    hasCorpus ? tileRow(recall, ceiling, order, left) : tileRow(recall, ceiling, left),
    picture.element,
    legend(
      ["main", "recall@k"],
      ...(hasBand ? [["band", "95 % of resampled question sets"]] : []),
      ["ceiling", "ceiling@k"],
      ...(hasCorpus ? [["random", "random order, k/N"]] : []),
      ["mark", "elbow"],
    ),
    elbowWords,
  );

  let drawn = "";
  return () => {
    const k = model.get("k");
    const scale = model.get("scale");
    const size = model.get("corpus_size");
    const epsilon = model.get("epsilon");
    const elbow = elbows[epsilons.indexOf(epsilon)];
    const x = (cutoff) => (last === 1 ? 0.5 : scale === "log" ? Math.log(cutoff) / Math.log(last) : (cutoff - 1) / (last - 1));
    const points = (values) => values.map((value, i) => [x(i + 1), value]);
    const along = (name) => points(rows.map((row) => row[name]));

    // The curves stand still while k moves.
    if (drawn !== [scale, size, epsilon].join()) {
      drawn = [scale, size, epsilon].join();
      picture.xAxis(ticks(last, scale).map((at) => ({ at: x(at), text: grouped(at) })));
      if (hasBand) band(`${pathOf(along("high"))}${pathOf(along("low").reverse()).replace("M", "L")}Z`);
      ceilingLine(pathOf(along("ceiling"), true));
      curve(pathOf(along("recall"), true));
      randomLine(random[size] ? pathOf(points(random[size])) : "");
      span(`M${x(elbow.low)} 1H${x(elbow.high)}M${x(elbow.k)} .97V1`);
      elbowNote(x(elbow.k), 0.02, `elbow k = ${elbow.k}`);
      write(elbowWords, elbow.words);
    }

    const row = rows[k - 1];
    cursor(`M${x(k)} 0V1`);
    dot(`M${x(k)} ${1 - row.recall}h0`);
    cursorNote(x(k), 1, `k = ${k}`);
    recall.show(`Recall@${k}`, row.written.recall, row.interval);
    ceiling.show(`Ceiling@${k}`, row.written.ceiling, "a perfect retriever");
    order.show(`Random order@${k}`, random[size] ? data.written_random[size][k - 1] : "not drawn",
      random[size] ? `k/N = ${k}/${grouped(size)}` : "choose N to see it");
    left.show(`Left to recall@${last}`, row.written.left, "what a deeper list still adds");
    say(`${row.summary}${random[size] ? `, random order ${data.written_random[size][k - 1]}` : ""}. ${elbow.words}`);
  };
});

function grouped(number) {
  return typeof number === "number" ? number.toLocaleString("en") : number;
}

// Round cutoffs for the axis.
function ticks(last, scale) {
  if (scale === "log") {
    const decades = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((k) => k < last * 0.7);
    return [...decades, last];
  }
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200].find((size) => last / size <= 6);
  const inner = Array.from({ length: Math.floor(last / step) }, (_, i) => (i + 1) * step);
  return [...new Set([1, ...inner.filter((k) => k > step / 2 && k <= last - step / 2), last])];
}
