// The drawing: where all nodes of all annotators stand, and of these what is there, open or gone

const LINE = 16;
const PADDING = 5;
const MOST_LINES = 8; // of one label
const LONGEST = 80; // label of a relation, as in drawn_item.py
const BESIDE = 12; // the space of a box beside its text
const CHARACTER = 7.2; // the width of a character, as in graph_drawing.py
const LEAST_SCALE = 11 / 12; // so that text has 11 px at least

/* one: what is asked; about: the nodes that this is about. */
function drawnItem(item, state, one, about) {
  const { nodes, edges, size } = item.drawn;
  const { result } = state;
  const there = new Set(result.triples.map((triple) => JSON.stringify(triple)));
  const places = new Map(nodes.map(([name, x, y, width, height]) => [name, { x, y, width, height }]));
  const fresh = result.nodes.filter((name) => !places.has(name) && !item.nodes.includes(name));
  fresh.forEach((name, k) => places.set(name, { x: 12 + 190 * k, y: size[1] + 12, width: 180, height: LINE + 2 * PADDING }));
  const height = size[1] + (fresh.length ? 60 : 0);
  const width = Math.max(size[0], fresh.length * 190 + 24);
  const drawn = new Set();
  const parts = edges.map(([number, points, at, labelWidth]) => {
    const triple = item.triples[number];
    drawn.add(JSON.stringify(triple));
    const standing = standingOf(item, state, there, number);
    const d = `M${points[0].join(" ")}` + points.slice(1).reduce((path, point, k) =>
      path + (k % 3 === 0 ? "C" : " ") + point.join(" "), "");
    const isNear = aboutOf(triple).some((name) => about.includes(name));
    return drawnRelation(standing + (isNear ? " near" : ""), d, points, at, triple[2], labelWidth);
  });
  for (const triple of result.triples) {
    if (triple[0] !== "relation" || drawn.has(JSON.stringify(triple))) continue;
    if (places.has(triple[1]) && places.has(triple[3])) parts.push(straight(places.get(triple[1]), places.get(triple[3]), triple[2]));
  }
  const boxes = [...places].map(([name, place]) => drawnBox(item, state, one, name, place, about.includes(name)));
  const words = `Drawing: ${plural(result.nodes.length, "node")}, ${plural(parts.length, "relation")}`;
  const usual = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16; // 1, or what people ask for
  const scale = usual * Math.min(1, Math.max(LEAST_SCALE, (byId("drawing").clientWidth - 4) / (width * usual)));
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, width: width * scale, height: height * scale, role: "img", "aria-label": words },
    parts.map(([line]) => line), boxes, parts.map(([, text]) => text));
}

/* Whether a triple is in the graph, undecided, or in no graph that may come. */
function standingOf(item, state, there, number) {
  if (there.has(JSON.stringify(item.triples[number]))) return "there";
  return isAsked(item, state, number) ? "open" : "gone";
}

/* Whether a triple belongs to what is undecided. */
function isAsked(item, state, number) {
  return item.differences.some((one) => isOpen(state, one) && (one.options.some((option) => option.triples.includes(number))
    || (one.kind === "node" && aboutOf(item.triples[number]).includes(one.about[0]))));
}

function drawnRelation(standing, d, points, at, role, width) {
  const line = draw("g", { class: `line ${standing}` }, draw("path", { d, class: "edge" }), draw("path", { d: head(points), class: "head" }));
  const [x, y] = at;
  const text = draw("g", { class: `line ${standing}` },
    draw("rect", { class: "back", x: x - width / 2, y: y - 8, width, height: 16 }),
    draw("text", { class: "edge-label", x, y, dy: "0.35em", "text-anchor": "middle" }, isolated(cut(role, LONGEST))));
  return [line, text];
}

function straight(one, other, role) {
  const from = [one.x + one.width / 2, one.y + one.height / 2];
  const to = [other.x + other.width / 2, other.y + (from[1] < other.y ? 0 : other.height)];
  const at = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  return drawnRelation("there", `M${from.join(" ")}L${to.join(" ")}`, [from, to], at, role, 8 * Math.min(role.length, LONGEST) + 8);
}

function head(points) {
  const [x, y] = points[points.length - 1];
  const before = points.slice(0, -1).reverse().find(([a, b]) => a !== x || b !== y) ?? [x, y - 1];
  const length = Math.hypot(x - before[0], y - before[1]);
  const [dx, dy] = [(x - before[0]) / length, (y - before[1]) / length];
  const corner = (sign) => `${(x - 8 * dx + sign * 4 * dy).toFixed(1)} ${(y - 8 * dy - sign * 4 * dx).toFixed(1)}`;
  return `M${x} ${y}L${corner(1)}L${corner(-1)}Z`;
}

/* What a node says of itself: root, concept and attributes, decided or not. isNear: it is what is asked. */
function rowsOf(item, state, one, name) {
  const { result } = state;
  const there = new Set(result.triples.map((triple) => JSON.stringify(triple)));
  const near = new Set(one === null ? [] : one.options.flatMap(({ triples }) => triples));
  const own = ([kind, node]) => node === name && kind !== "relation";
  const known = item.triples.flatMap((triple, number) => (own(triple)
    ? [{ triple, standing: standingOf(item, state, there, number), isNear: near.has(number) }] : []));
  const said = new Set(known.map(({ triple }) => JSON.stringify(triple)));
  const fresh = result.triples.filter((triple) => own(triple) && !said.has(JSON.stringify(triple)));
  const rows = [...known, ...fresh.map((triple) => ({ triple, standing: "there", isNear: false }))]
    .filter(({ standing }) => standing !== "gone");
  const of = (wanted) => rows.filter(({ triple: [kind] }) => kind === wanted);
  const titled = of("concept").map((row) => ({ ...row, text: `${name} / ${row.triple[2]}` }));
  return [...(titled.length ? titled : [{ text: name, standing: "there", isNear: false }]),
    ...of("root").map((row) => ({ ...row, text: "⊤" })),
    ...of("attribute").map((row) => ({ ...row, text: `${row.triple[2]} ${row.triple[3]}` }))];
}

/* A text in lines of so many characters; the box has room for one, unless somebody has said something new. */
function wrapped(text, columns) {
  const letters = [...text];
  const width = Math.max(columns, 4);
  const lines = Array.from({ length: Math.ceil(letters.length / width) }, (_, k) => letters.slice(k * width, (k + 1) * width).join(""));
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), "…"] : lines;
}

function drawnBox(item, state, one, name, { x, y, width, height }, isAbout) {
  const isThere = state.result.nodes.includes(name);
  const isUndecided = item.differences.some(({ kind, about }, k) =>
    kind === "node" && about[0] === name && isOpen(state, item.differences[k]));
  const columns = Math.floor((width - BESIDE) / CHARACTER);
  const parts = [];
  let used = 0;
  for (const { text, standing, isNear } of rowsOf(item, state, one, name)) {
    const isRowOpen = standing === "open";
    const lines = wrapped(isRowOpen ? `${text} ?` : text, columns);
    const top = y + PADDING + LINE * used;
    used += lines.length;
    parts.push(draw("g", { class: `row-of ${standing}${isNear ? " near" : ""}` },
      isRowOpen ? draw("rect", { class: "slot", x: x + 3, y: top + 1, width: width - 6, height: LINE * lines.length - 2, rx: 3 }) : [],
      lines.map((line, k) => draw("text", { x: x + 8, y: top + LINE * (k + 0.5), dy: "0.35em" }, isolated(line)))));
  }
  const tall = Math.max(height, used * LINE + 2 * PADDING);
  return draw("g", { class: `node ${isThere ? "there" : isUndecided ? "open" : "gone"}${isAbout ? " about" : ""}` },
    draw("rect", { class: "box", x, y, width, height: tall, rx: 5 }), parts);
}
