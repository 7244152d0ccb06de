// A pair: both graphs

const PADDING_X = 16; // as exactmatch/report/views/graph_drawing.py has it
const PADDING_Y = 5;
const LINE_HEIGHT = 16;
const LABEL_HEIGHT = 16;
const LEGIBLE = 11 / 12; // so that text has 11 px at least, unless one asks for smaller drawings
const FEW_NODES = 20; // as in node_layers.py
const LEAST_HALF = 500; // the width that a drawing of few nodes needs to stand beside another

function drawings() {
  const zoom = (text, name, change) => make("button", {
    type: "button", "aria-label": name, onclick: () => { current.zoom = change(); arrangeDrawings(); },
  }, text);
  const scale = () => current.scale;
  const side = (name) => make("figure", { "data-side": name },
    make("figcaption", {}, page.sides ? [] : `${SIDE_TITLES[name]}: `, label(page[name])),
    make("div", { class: "scroll drawing", role: "region",
      "aria-label": `Drawing of the ${SIDES[name]} graph`, onscroll: scrollAlike }));
  const [width, height] = current.pair.system.size;
  const shape = (height > 1.2 * width ? " tall" : "") + (height > 600 ? " large" : "");
  return make("div", { id: "drawings" },
    make("div", { class: "controls", role: "group", "aria-label": "Size of the drawings" },
      zoom("Fit", "Fit the drawings to the width", () => 0),
      zoom("Full size", "Drawings in full size", () => 1),
      zoom("−", "Smaller drawings", () => Math.max(0.1, scale() / 1.25)),
      zoom("+", "Larger drawings", () => Math.min(4, scale() * 1.25)),
      make("span", { id: "wider", class: "quiet", hidden: true }, "Wider than their frames: scroll, or press Fit.")),
    make("div", { class: "graphs" + shape }, side("system"), side("gold")));
}

/* Mapped nodes are in the same place, so both drawings are moved together. */
function scrollAlike(event) {
  for (const other of byId("drawings").querySelectorAll(".drawing")) {
    if (other === event.target) continue;
    other.scrollLeft = event.target.scrollLeft;
    other.scrollTop = event.target.scrollTop;
  }
}

/* Draw both side by side if they stay legible, otherwise one below the other. Those of few nodes that are wide all
   the same scroll side by side. */
function arrangeDrawings() {
  if (!current) return;
  const graphs = byId("drawings").querySelector(".graphs");
  const [width, height] = current.pair.system.size;
  const room = graphs.clientWidth - 4;
  const half = (room - 24) / 2;
  const areFew = ["system", "gold"].every((side) => current.pair[side].nodes.length <= FEW_NODES);
  const isBeside = half / width >= LEGIBLE || (areFew && half >= LEAST_HALF);
  graphs.classList.toggle("beside", isBeside);
  const fitting = Math.min(1, (isBeside ? half : room) / width);
  const scale = current.zoom === null ? Math.max(LEGIBLE, fitting) : current.zoom || fitting;
  current.scale = scale;
  byId("wider").hidden = scale <= fitting;
  for (const drawing of graphs.querySelectorAll("svg")) {
    drawing.setAttribute("width", Math.max(1, width * scale));
    drawing.setAttribute("height", Math.max(1, height * scale));
    drawing.style.setProperty("--width", `${width}px`); // on paper
  }
}

function drawing(side) {
  const graph = current.pair[side];
  const [width, height] = graph.size;
  const edges = graph.edges.map((edge) => drawnEdge(side, edge));
  const nodes = graph.nodes.map((node, number) => drawnNode(side, node, number));
  const element = draw("svg", {
    viewBox: `0 0 ${Math.max(1, width)} ${Math.max(1, height)}`, role: "group",
    "aria-label": `${SIDES[side]} graph: ${plural(nodes.length, "node")}, ${plural(edges.length, "edge")}`,
  }, edges.map(([path]) => path), nodes, edges.map(([, label]) => label));
  // The element around it listens to the focus: some browsers stop at an <svg> that does.
  const around = make("div", {}, element);
  rove(around, nodes, (key, from) => nearest(graph.nodes, from, key));
  return around;
}

/* A curve with its head; its label is separate, and drawn above all nodes and curves. */
function drawnEdge(side, edge) {
  const [start, ...rest] = edge.points;
  let path = `M${start.join(" ")}`;
  for (let n = 0; n + 2 < rest.length; n += 3) path += `C${rest.slice(n, n + 3).flat().join(" ")}`;
  const mark = current.marks[side][edge.triple];
  const attributes = { "data-side": side, "data-triple": edge.triple, "data-mark": mark };
  const line = draw("g", { ...attributes, class: "line" },
    draw("path", { d: path, class: "reach" }),
    draw("path", { d: path, class: "edge", "data-mark": mark }),
    draw("path", { d: arrowHead(edge.points), class: "head", "data-mark": mark }));
  const [x, y] = edge.at;
  const text = draw("text", {
    ...attributes, class: "edge-label mark", x, y, dy: "0.35em", "text-anchor": "middle",
  }, glyphed(mark, edge.label), draw("title", {}, tripleText(side, edge.triple, 500)));
  const back = draw("rect", {
    class: "back", x: x - edge.w / 2, y: y - LABEL_HEIGHT / 2, width: edge.w, height: LABEL_HEIGHT,
  });
  return [line, draw("g", {}, back, text)];
}

function arrowHead(points) {
  const [x, y] = points[points.length - 1];
  const before = points.slice(0, -1).reverse().find(([a, b]) => a !== x || b !== y) ?? [x, y - 1];
  const length = Math.hypot(x - before[0], y - before[1]);
  const [dx, dy] = [(x - before[0]) / length, (y - before[1]) / length];
  const corner = (sign) => `${(x - 8 * dx + sign * 4 * dy).toFixed(1)} ${(y - 8 * dy - sign * 4 * dx).toFixed(1)}`;
  return `M${x} ${y}L${corner(1)}L${corner(-1)}Z`;
}

function glyphed(mark, text) {
  const { glyph } = MARKS[mark];
  return (glyph ? glyph + " " : "") + isolated(text);
}

function drawnNode(side, node, number) {
  const { variable } = node;
  const element = draw("g", {
    class: "node", role: "button", "data-side": side, "data-node": number, "data-variable": variable,
    "data-standing": variable === null ? null : standingOf(side, variable),
    "data-mark": variable === null || partnerOf(side, variable) !== null
      ? null : side === "system" ? "extra" : "missing",
    "aria-label": nodeLabel(side, node),
    onclick: () => element.focus({ preventScroll: true }),
    onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") toPartner(event, side, variable); },
  });
  element.append(draw("rect", { class: "box", x: node.x, y: node.y, width: node.w, height: node.h, rx: 5 }));
  if (current.isDiscourse && node.lines.length > 1) { // the referents of a box are set apart
    const y = node.y + PADDING_Y + LINE_HEIGHT;
    element.append(draw("path", { class: "rule", d: `M${node.x} ${y}h${node.w}` }));
  }
  node.lines.forEach((line, n) => {
    const y = node.y + PADDING_Y + LINE_HEIGHT * (n + 0.5);
    element.append(...drawnLine(side, line, node, y));
  });
  return element;
}

/* A line of a node, with the sign of its mark before it if the node has room. */
function drawnLine(side, line, node, y) {
  const triples = [...new Set(line.map(([, triple]) => triple).filter((triple) => triple !== null))];
  const pieces = line.map(([text, triple, variable]) => draw("tspan", {
    class: triple === null ? null : "mark", "data-side": side, "data-triple": triple,
    "data-variable": variable, "data-mark": triple === null ? null : current.marks[side][triple],
  }, isolated(text)));
  const found = [draw("text", { x: node.x + PADDING_X, y, dy: "0.35em" }, pieces)];
  const differing = triples.map((triple) => current.marks[side][triple]).filter((mark) => mark !== "matched");
  if (differing.length) {
    const glyphs = [...new Set(differing)].map((mark) => MARKS[mark].glyph).join("");
    found.push(draw("text", {
      class: "glyph mark", "data-mark": differing[0], x: node.x + PADDING_X / 2, y, dy: "0.35em",
      "text-anchor": "middle", "aria-hidden": "true",
    }, glyphs));
  }
  return found;
}

function nodeLabel(side, node) {
  if (node.variable === null) return isolated(node.lines[0]?.map(([text]) => text).join("") ?? "", 200);
  const other = otherSide(side);
  const partner = partnerOf(side, node.variable);
  const name = isolated(current.pair[side].names[node.variable], 200);
  if (partner === null) return `${name}, not mapped`;
  return `${name}, mapped to ${isolated(current.pair[other].names[partner], 200)}, `
    + STANDINGS[standingOf(side, node.variable)];
}

function toPartner(event, side, variable) {
  event.preventDefault();
  const partner = variable === null ? null : partnerOf(side, variable);
  if (partner === null) return;
  byId("drawings").querySelector(`.node[data-side="${otherSide(side)}"][data-variable="${partner}"]`)?.focus();
}

/* The number of the nearest node in the direction of an arrow key; straight ahead counts as nearer. */
function nearest(nodes, from, key) {
  const middle = (node) => [node.x + node.w / 2, node.y + node.h / 2];
  const turn = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  const [x, y] = middle(nodes[from]);
  let best = from;
  let least = Infinity;
  nodes.forEach((node, number) => {
    const [a, b] = middle(node);
    const along = (a - x) * turn[0] + (b - y) * turn[1];
    const across = Math.abs((a - x) * turn[1]) + Math.abs((b - y) * turn[0]);
    if (along > 0.5 && along + 2 * across < least) [best, least] = [number, along + 2 * across];
  });
  return best;
}

/* One stop of the Tab key for all items; arrow keys go from one to another. */
function rove(container, items, next) {
  items.forEach((item, n) => item.setAttribute("tabindex", n ? -1 : 0));
  container.addEventListener("focusin", (event) => {
    const at = items.findIndex((item) => item.contains(event.target));
    if (at >= 0) items.forEach((item, n) => item.setAttribute("tabindex", n === at ? 0 : -1));
  });
  container.addEventListener("keydown", (event) => {
    const at = items.findIndex((item) => item === event.target);
    const ends = { Home: 0, End: items.length - 1 };
    if (at < 0 || !(event.key.startsWith("Arrow") || event.key in ends)) return;
    event.preventDefault();
    items[ends[event.key] ?? next(event.key, at)]?.focus();
  });
}
