// Progress by lesson: every exercise with a mark and a word; those that are passed can be put aside.

export default view(({ model, data, root, say }) => {
  const { lessons, summary } = data;
  const lines = [];
  const lists = lessons.map(({ name, summary, exercises }) => {
    const items = exercises.map((exercise) => {
      const word = element("span", { class: "rl-small" }, exercise.status);
      const line = element("li", { class: exercise.passed ? "rl-passed" : "rl-open" });
      line.append(element("span", { "aria-hidden": "true" }, exercise.mark), dataText(exercise.name), word);
      lines.push(line);
      return line;
    });
    const head = element("p", { class: "rl-lesson-name" }, dataText(name), element("span", {}, summary));
    return element("div", { class: "rl-lesson" }, head, element("ul", { class: "rl-exercises" }, ...items));
  });
  root.append(element("p", { class: "rl-question" }, summary), choice(model, "show", "Show"), ...lists);

  return () => {
    const all = model.get("show") === "all";
    for (const line of lines) line.hidden = !all && line.className === "rl-passed";
    say(`${summary}, showing ${model.get("show")}`);
  };
});
