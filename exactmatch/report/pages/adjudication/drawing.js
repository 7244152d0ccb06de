// The drawing: where all nodes of all annotators stand, and of these what is there, open or gone

const LINE = 16;
const PADDING = 5;
const BESIDE = 12; // the space of a box beside its text
const CHARACTER = 7.2; // the width of a character, as in graph_drawing.py
const LEAST_SCALE = 11 / 12; // so that text has 11 px at least

function drawnItem(item, state, about) {
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
    const standing = there.has(JSON.stringify(triple)) ? "there" : isAsked(item, state, number) ? "open" : "gone";
    const d = `M${points[0].join(" ")}` + points.slice(1).reduce((path, point, k) =>
      path + (k % 3 === 0 ? "C" : " ") + point.join(" "), "");
    const isNear = aboutOf(triple).some((name) => about.includes(name));
    return drawnRelation(standing + (isNear ? " near" : ""), d, points, at, triple[2], labelWidth);
  });
  for (const triple of result.triples) {
    if (triple[0] !== "relation" || drawn.has(JSON.stringify(triple))) continue;
    if (places.has(triple[1]) && places.has(triple[3])) parts.push(straight(places.get(triple[1]), places.get(triple[3]), triple[2]));
  }
  const boxes = [...places].map(([name, place]) => drawnBox(item, state, name, place, about.includes(name)));
  const words = `Drawing: ${plural(result.nodes.length, "node")}, ${plural(parts.length, "relation")}`;
  const usual = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16; // 1, or what people ask for
  const scale = usual * Math.min(1, Math.max(LEAST_SCALE, (byId("drawing").clientWidth - 4) / (width * usual)));
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, width: width * scale, height: height * scale, role: "img", "aria-label": words },
    parts.map(([line]) => line), boxes, parts.map(([, text]) => text));
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
    draw("text", { class: "edge-label", x, y, dy: "0.35em", "text-anchor": "middle" }, isolated(cut(role, 24))));
  return [line, text];
}

function straight(one, other, role) {
  const from = [one.x + one.width / 2, one.y + one.height / 2];
  const to = [other.x + other.width / 2, other.y + (from[1] < other.y ? 0 : other.height)];
  const at = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  return drawnRelation("there", `M${from.join(" ")}L${to.join(" ")}`, [from, to], at, role, 8 * Math.min(role.length, 24) + 8);
}

function head(points) {
  const [x, y] = points[points.length - 1];
  const before = points.slice(0, -1).reverse().find(([a, b]) => a !== x || b !== y) ?? [x, y - 1];
  const length = Math.hypot(x - before[0], y - before[1]);
  const [dx, dy] = [(x - before[0]) / length, (y - before[1]) / length];
  const corner = (sign) => `${(x - 8 * dx + sign * 4 * dy).toFixed(1)} ${(y - 8 * dy - sign * 4 * dx).toFixed(1)}`;
  return `M${x} ${y}L${corner(1)}L${corner(-1)}Z`;
}

/* The concepts that are said of a node that has none yet. */
function suggested(item, name) {
  const found = item.triples.filter(([kind, node]) => kind === "concept" && node === name);
  return found.length ? `${found.map(([, , concept]) => concept).join(" | ")} ?` : "?";
}

function drawnBox(item, state, name, { x, y, width, height }, isAbout) {
  const { result } = state;
  const isThere = result.nodes.includes(name);
  const isUndecided = item.differences.some((one) => one.kind === "node" && one.about[0] === name && isOpen(state, one));
  const said = result.triples.filter(([, node]) => node === name);
  const concept = said.find(([kind]) => kind === "concept")?.[2] ?? suggested(item, name);
  const root = said.some(([kind]) => kind === "root") ? "⊤ " : "";
  const columns = Math.floor((width - BESIDE) / CHARACTER);
  const fitted = (text, used) => isolated(text, text.length + used <= columns ? undefined : Math.max(2, columns - used - 1));
  const lines = [`${root}${isolated(name)} / ${fitted(concept, root.length + name.length + 3)}`,
    ...said.filter(([kind]) => kind === "attribute").map(([, , role, value]) =>
      `${fitted(role, 4)} ${fitted(value, Math.min(role.length, columns - 4) + 1)}`)];
  const tall = Math.max(height, lines.length * LINE + 2 * PADDING);
  return draw("g", { class: `node ${isThere ? "there" : isUndecided ? "open" : "gone"}${isAbout ? " about" : ""}` },
    draw("rect", { class: "box", x, y, width, height: tall, rx: 5 }),
    lines.map((line, k) => draw("text", { x: x + 8, y: y + PADDING + LINE * (k + 0.5), dy: "0.35em" }, line)));
}
