// A pair: its head

function showPair(id, problem) {
  const head = [pairNavigation(), make("h1", { id: "pair-title", tabindex: -1 }, label(id))];
  if (!current) {
    byId("pair").replaceChildren(...head, make("p", { class: "alarm", role: "alert" }, problem));
    return;
  }
  current.optimum = currentMarks();
  const counts = countsOfVariables(current.pair, current.optimum);
  current.standing = current.proven.map((_, i) => provenStanding(i, counts[i]));
  current.segments = [];
  current.isDiscourse = current.pair.labels.some(([kind]) => kind === "role" || kind === "operator");
  byId("pair").replaceChildren(
    ...head,
    ...sentences(),
    make("p", { id: "verdict", class: "lead" }, verdict(current.pair)),
    ...proofLine(),
    ...caveats(),
    ...excerpt(),
    make("div", { id: "by-hand", role: "status", "aria-live": "polite" }),
    legend(),
    drawings(),
    make("div", { id: "texts", class: "texts" }),
    make("h2", { id: "mapping-title" }, "Mapping"),
    make("p", { class: "quiet screen-only" }, aboutMappings()),
    make("div", { class: "scroll", role: "region", "aria-labelledby": "mapping-title" },
      make("table", { id: "mapping" })),
    make("details", { id: "all-triples", ontoggle: showTriples },
      make("summary", {}, `All ${page.unit}${current.pair.part ? " that are shown" : ""}, as they were counted`),
      make("div", { class: "scroll", role: "region", "aria-label": "All triples", tabindex: 0 })),
    make("div", {
      id: "info", class: "info", role: "region", "aria-label": "What is pointed at", tabindex: 0,
    }),
  );
  showMapping();
  arrangeDrawings();
  scrollToTop();
  select(null);
  showProof();
}

/* If a drawing is wider than its box, scroll its top node to the middle. */
function scrollToTop() {
  const [first] = [...current.pair.gold.nodes].sort((a, b) => a.y - b.y);
  const box = byId("drawings").querySelector(".drawing");
  if (first) box.scrollLeft = (first.x + first.w / 2) * current.scale - box.clientWidth / 2;
}

function pairNavigation() {
  if (page.rows.length === 1) return make("nav", { "aria-label": "Keys" }, help());
  const [before, after] = [neighbour(-1), neighbour(1)];
  const place = current && table.order.indexOf(current.k);
  const button = (id, text, row) => make("button", {
    type: "button", id, disabled: !row, onclick: () => go(row),
  }, text);
  return make("nav", { class: "controls", "aria-label": "Pairs" },
    make("a", { href: "#", id: "to-overview", onclick: (event) => { event.preventDefault(); toOverview(); } },
      "All pairs"),
    button("previous", "Previous", before),
    button("next", "Next", after),
    current && place >= 0
      ? make("span", { class: "quiet" }, `${whole(place + 1)} of ${whole(table.order.length)}`) : null,
    help());
}

function help() {
  const keys = [
    ["n, p", "next and previous pair, in the order of the table"],
    ["Escape", "back to all pairs"],
    ["Tab", "to a drawing, a text, the mapping; one stop for each"],
    ["arrow keys", "in a drawing: to the node in that direction; in a text: to the next line"],
    ["Enter", "in a drawing: to the partner on the other side"],
  ];
  return make("details", { class: "help" }, make("summary", {}, "Keys"),
    make("dl", {}, keys.map(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)])));
}

function verdict(pair) {
  const { score: found, scale } = pair;
  const ends = found.status === "optimal" || found.f1 === found.f1_upper
    ? decimals(found.f1) : `between ${decimals(found.f1)} and ${decimals(found.f1_upper)}`;
  const count = `${amount(found.matched, scale)} of ${amount(found.system_total, scale)} and `
    + `${amount(found.gold_total, scale)} ${page.unit} match.`;
  const solver = solverName(found.solver);
  const by = found.checked ? `${solver}, proof checked` : `on the word of ${solver}`;
  const proof = found.status === "optimal"
    ? `Proven: no mapping matches more (${by}).`
    : `Not proven: no mapping matches more than ${amount(found.upper, scale)} (${by}).`;
  return `${page.score_name} ${ends}: ${count} ${proof}`;
}

function caveats() {
  const { score: found, others, every } = current.pair;
  const said = [];
  if (others) said.push(others[0].toUpperCase() + others.slice(1) + (/[.!?]$/.test(others) ? "" : "."));
  else if (every === null) said.push("Other mappings may be as good: that is not known.");
  if (found.timed_out) said.push("The time limit came first.");
  if (found.too_large) said.push("The pair is too large for the memory it may take, and was not solved.");
  if (found.emptied) said.push("An empty graph stands for one that is missing or unreadable.");
  return said.map((text) => make("p", { class: "quiet" }, text));
}

/* The omitted parts of a pair that is too large. */
function excerpt() {
  const { part } = current.pair;
  if (!part) return [];
  const of = (what, [shown, all]) => `${whole(shown)} of ${whole(all)} ${what}`;
  const said = ["system", "gold"].map((side) => make("li", {}, `${SIDE_TITLES[side]}: `,
    [of("nodes", part[side].nodes), of(page.unit, part[side].triples), of("that differ", part[side].differing)].join(", ")));
  return [make("div", { id: "excerpt", class: "excerpt" },
    make("p", {}, make("strong", {}, "An excerpt. "),
      `Both graphs have ${whole(part.size)} nodes and ${page.unit}; a pair of more than ${whole(part.limit)} (--view-limit) is not `
      + "shown as a whole. Here is what differs, and some of what is around it; … in a node: more is said of it. "
      + "Scores and counts are those of the whole graphs."),
    make("ul", {}, said))];
}

function aboutMappings() {
  const { part, fixed } = current.pair;
  if (part) return "Only nodes that are shown. Other mappings cannot be tried here, as not all is there to be counted.";
  if (fixed) return "Other mappings cannot be tried here, as there is too much that may be mapped to each other.";
  return "Choose another partner to see what the score becomes. One that is taken is freed.";
}

function sentences() {
  return current.pair.sentences.map(([side, text]) => {
    const sides = side === "both" ? ["system", "gold"] : [side];
    const name = side === "both" ? [] : [make("span", { class: "quiet" }, side + ": ")];
    return make("p", { class: "sentence" }, name, make("bdi", {}, anchored(text, sides)));
  });
}

/* Cut the text into pieces at the ends of anchors. */
function anchored(text, sides) {
  const characters = [...text]; // anchors count characters as Python does
  const anchors = sides.flatMap((side) =>
    (current.pair[side].anchors ?? []).map(([variable, from, to]) => ({ side, variable, from, to })));
  const ends = anchors.flatMap(({ from, to }) => [from, to]);
  const cuts = [...new Set([0, ...ends, characters.length])].filter((c) => c >= 0 && c <= characters.length);
  cuts.sort((a, b) => a - b);
  return cuts.slice(1).map((to, n) => {
    const covering = anchors.filter((anchor) => anchor.from <= cuts[n] && to <= anchor.to);
    const element = make("span", { class: covering.length ? "anchor" : null },
      visible(characters.slice(cuts[n], to).join("")));
    current.segments.push({ element, covering });
    return element;
  });
}

function legend() {
  const line = (mark) => draw("svg", { class: "swatch", viewBox: "0 0 36 12", "aria-hidden": "true" },
    draw("path", { class: "edge", "data-mark": mark, d: "M1 6H35" }));
  const box = (standing) => draw("svg", { class: "swatch", viewBox: "0 0 36 16", "aria-hidden": "true" },
    draw("rect", { class: "box", "data-standing": standing, x: 2, y: 2, width: 32, height: 12, rx: 3 }));
  const isUsual = (mark) => mark !== "partly" || current.pair.similar.length || current.optimum.system.includes(mark);
  const usual = Object.entries(MARKS).filter(([mark]) => isUsual(mark));
  const marked = usual.map(([mark, { glyph, name }]) => make("li", {}, line(mark),
    make("span", { class: "mark", "data-mark": mark }, glyph ? glyph + " " + name : name)));
  const standing = ["certain", "several", "arbitrary", "none"].map((kind) =>
    make("li", {}, box(kind), kind === "several" && current.pair.every === null
      ? "mapped; others may be as good" : STANDINGS[kind]));
  const known = current.pair.every === null ? standing.slice(1) : standing;
  return make("div", {}, make("ul", { class: "legend", "aria-label": "Legend" }, marked, known),
    make("p", { class: "quiet small screen-only" },
      "Point at a node, an edge, a line or a row, or tab to it, to see what it is mapped to."));
}
