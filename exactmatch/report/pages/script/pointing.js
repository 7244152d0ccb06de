// A pair: the pointed element, and its partner

/* Highlight the element of the pointer or the focus: {side, variable, triple}, or null. */
function select(chosen) {
  if (!current) return;
  for (const element of byId("pair").querySelectorAll(".hot")) element.classList.remove("hot");
  const hot = { system: { variable: null, triple: null }, gold: { variable: null, triple: null } };
  if (chosen) {
    hot[chosen.side] = chosen;
    hot[otherSide(chosen.side)] = {
      variable: chosen.variable === null ? null : partnerOf(chosen.side, chosen.variable),
      triple: chosen.triple === null ? null : counterpart(chosen.side, chosen.triple),
    };
    for (const side of ["system", "gold"]) heat(side, hot[side]);
  }
  for (const { element, covering } of current.segments) {
    const isHot = covering.some(({ side, variable }) => hot[side].variable === variable);
    element.classList.toggle("hot", isHot);
  }
  byId("info").hidden = chosen === null;
  if (chosen) byId("info").replaceChildren(...information(hot));
}

function counterpart(side, triple) {
  return side === "system" ? current.marks.partner[triple] : current.marks.back[triple];
}

function heat(side, { variable, triple }) {
  for (const [name, number] of [["variable", variable], ["triple", triple]]) {
    if (number === null) continue;
    const found = byId("pair").querySelectorAll(`[data-side="${side}"][data-${name}="${number}"]`);
    for (const element of found) element.classList.add("hot");
  }
}

function information(hot) {
  return ["system", "gold"].map((side) => {
    const { variable, triple } = hot[side];
    const isFirst = (number) => number === triple;
    const graph = current.pair[side];
    const numbers = variable === null ? [] : [...graph.triples.keys()].filter((number) =>
      graph.triples[number].slice(1).includes(variable) && !isFirst(number));
    if (triple !== null) numbers.unshift(triple);
    const head = variable === null ? (triple === null ? ["no partner"] : []) : [label(cut(graph.names[variable], NAME_LENGTH)), ` – ${STANDINGS[standingOf(side, variable)]}`];
    return make("div", {}, make("p", {}, make("strong", {}, side === "system" ? "System " : "Gold "), head),
      make("ul", {}, numbers.map((number) => make("li", { class: isFirst(number) ? "first" : null },
        tripleElement(side, number), current.marks[side][number] === "matched" ? [] : ` (${MARKS[current.marks[side][number]].name})`))));
  });
}

function onPoint(event) {
  if (!current || event.target.closest("#info, #all-triples")) return;
  const chosen = pointedAt(event.target);
  if (chosen) select(chosen);
}

function pointedAt(target) {
  const line = target.classList.contains("text-line") ? target : null;
  const inLine = (name) => line?.querySelector(`[data-${name}]`);
  const triple = inLine("triple") ?? target.closest("[data-triple]");
  const variable = inLine("variable") ?? target.closest("[data-variable]");
  const side = (triple ?? variable)?.dataset.side;
  if (!side) return null;
  const number = (element, name) => (element === null ? null : Number(element.dataset[name]));
  return { side, variable: number(variable, "variable"), triple: number(triple, "triple") };
}
