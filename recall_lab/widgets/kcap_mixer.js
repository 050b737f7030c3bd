// The k-cap mixer: one column for each question, as high as its relevant passages, cut off at k.

export default view(({ model, data, root, say }) => {
  const { questions, small, means, single } = data;
  const [mean, few, much] = Array.from({ length: 3 }, () => numberTile());
  const picture = plot([{ at: 0, text: "0" }]);
  const [fits, lost, cut] = ["fits", "lost", "cursor"].map(picture.line);
  const cutLevel = picture.level("cursor");
  const topNote = picture.note("top");
  root.append(
    element("p", { class: "rl-question" }, `A perfect retriever, ${questions} questions`),
    slider(model, "k", "Cutoff k"),
    slider(model, "many", "Questions with a large R"),
    choice(model, "large", "Large R"),
    tileRow(mean, few, much),
    picture.element,
    legend(["fits", "relevant passages inside the top k"], ["lost", "relevant passages that cannot fit"]),
  );

  return () => {
    const [k, many, large] = ["k", "many", "large"].map((name) => model.get(name));
    const { written } = means[k - 1][large][many];
    const one = single[k - 1];
    const top = Math.max(k, many ? large : small) * 1.1;
    const columns = Array.from({ length: questions }, (_, i) => (i < questions - many ? small : large));
    const bar = (i, from, to) => (to > from ? `M${(i + 0.5) / questions} ${1 - from / top}V${1 - to / top}` : "");
    fits(columns.map((relevant, i) => bar(i, 0, one[relevant].fit)).join(""));
    lost(columns.map((relevant, i) => bar(i, one[relevant].fit, relevant)).join(""));
    cut(`M0 ${1 - k / top}H1`);
    cutLevel(k / top, `k = ${k}`);
    topNote(1, Math.max(...columns) / top, `R = ${Math.max(...columns)}`);
    mean.show(`Mean recall@${k}`, written, "and its ceiling: nothing was ranked wrong");
    few.show(`R = ${small}`, one[small].written, `${questions - many} of ${questions} questions`);
    much.show(`R = ${large}`, one[large].written, `${many} of ${questions} questions`);
    say(`k ${k}, ${many} of ${questions} questions with R ${large}: mean recall of a perfect retriever ${written}`);
  };
});
