// A pair: its texts

function text(side) {
  const told = new Set(); // a triple has its glyph where it is first told
  const lines = current.pair[side].text.map(([indent, pieces]) => make("div", {
    class: "text-line", style: `padding-left: ${2 * indent}ch`,
  }, pieces.map((piece) => textPiece(side, piece, told))));
  const element = make("div", { class: "lines" }, lines);
  rove(element, lines, (key, at) => at + ({ ArrowDown: 1, ArrowUp: -1 }[key] ?? 0));
  return make("figure", {}, make("figcaption", {}, SIDE_TITLES[side]),
    make("div", { class: "scroll text", role: "region", "aria-label": `Text of the ${SIDES[side]} graph` },
      element));
}

function textPiece(side, [string, triple, variable], told) {
  if (triple === null && variable === null) return label(string);
  const mark = triple === null ? null : current.marks[side][triple];
  const element = label(string, {
    class: mark && "mark", "data-side": side, "data-triple": triple, "data-variable": variable, "data-mark": mark,
  });
  if (mark === null || mark === "matched" || told.has(triple)) return element;
  told.add(triple);
  return [glyph(mark), element];
}

function glyph(mark) {
  return make("span", { class: "glyph mark", role: "img", "aria-label": MARKS[mark].name, "data-mark": mark },
    MARKS[mark].glyph);
}

/* A triple as text: `b / boy`, `ARG0(w, b)`. */
function tripleText(side, number, longest = Infinity) {
  const [labelled, ...variables] = current.pair[side].triples[number];
  const [kind, name, ...constants] = current.pair.worded[labelled] ?? current.pair.labels[labelled];
  const names = variables.map((variable) => isolated(current.pair[side].variables[variable], longest));
  if (CONCEPTS.includes(kind) && variables.length === 1 && !constants.length) {
    return `${names[0]} / ${isolated(name ?? "", longest)}`;
  }
  // An anchor has no name; its label is its target.
  if (kind === "anchor") return `anchor(${[...names, isolated(name || '""', longest)].join(", ")})`;
  const said = constants.map((constant) => isolated(constant, longest));
  return `${isolated(name || kind, longest)}(${[...names, ...said].join(", ")})`;
}

function tripleElement(side, number) {
  const mark = current.marks[side][number];
  return make("span", {
    class: "mark", "data-side": side, "data-triple": number, "data-mark": mark,
  }, mark === "matched" ? [] : [glyph(mark)], tripleText(side, number));
}

/* Every triple, also those that are neither in the drawing nor in the text. */
function showTriples() {
  const details = byId("all-triples");
  if (!details?.open) return;
  const found = current.marks;
  const row = (mark, system, gold) => make("tr", {},
    make("td", {}, MARKS[mark].name),
    make("td", {}, system === null ? [] : tripleElement("system", system)),
    make("td", {}, gold === null ? [] : tripleElement("gold", gold)));
  const rows = found.system.map((mark, number) => row(mark, number, found.partner[number]));
  found.gold.forEach((mark, number) => {
    if (found.back[number] === null) rows.push(row(mark, null, number));
  });
  const heads = ["", SIDE_TITLES.system, SIDE_TITLES.gold].map((name) => make("th", { scope: "col" }, name || "Mark"));
  details.querySelector(".scroll").replaceChildren(
    make("table", {}, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows)));
}
