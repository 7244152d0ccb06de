"use strict";
/* The page that shows pairs of graphs. Whatever comes from the graphs is put in as text only, never
   as HTML, so nothing that a label says can run. */

// ---------------------------------------------------------------------------------------------
// Counting: the definition, from the triples alone. `partner` is a mapping: by system variable, the
// gold variable or null. exactmatch/recount.py and exactmatch/views/marks.py do the same.

const CONCEPTS = ["instance", "label", "concept"];

function spelled(label, variables) {
  return label + ":" + variables.join(",");
}

/* What a mapping makes of a triple's variables; null if it leaves one of them out. */
function image(triple, partner) {
  const images = triple.slice(1).map((variable) => partner[variable]);
  return images.includes(null) ? null : images;
}

/* The targets of the gold graph: how often each is there, and the triples that it stands for. */
function targetsOf(pair) {
  const own = pair.gold.triples.map((triple, number) => [number, ...triple.slice(1)]);
  const found = new Map();
  for (const [number, ...variables] of pair.gold.targets ?? own) {
    const key = spelled(pair.gold.triples[number][0], variables);
    const target = found.get(key) ?? { times: 0, triples: [] };
    target.times += 1;
    if (!target.triples.includes(number)) target.triples.push(number);
    found.set(key, target);
  }
  return found;
}

function countEqual(keys, targets, duplicates) {
  const times = new Map();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  let count = 0;
  for (const [key, own] of times) {
    const wanted = targets.get(key)?.times ?? 0;
    if (duplicates === "set") count += Math.min(1, wanted);
    else count += duplicates === "multiset" ? Math.min(own, wanted) : own * wanted;
  }
  return count;
}

/* What a mapping matches, in units of 1 / pair.scale. */
function score(pair, partner) {
  const targets = targetsOf(pair);
  const images = [];
  for (const triple of pair.system.triples) {
    const variables = image(triple, partner);
    if (variables !== null) images.push([triple[0], variables]);
  }
  const keys = images.map(([label, variables]) => spelled(label, variables));
  let matched = pair.scale * countEqual(keys, targets, pair.duplicates);
  for (const [one, other, credit] of pair.similar) {
    const relabelled = images.filter(([label]) => label === one);
    const others = relabelled.map(([, variables]) => spelled(other, variables));
    matched += credit * countEqual(others, targets, pair.duplicates);
  }
  return matched;
}

/* What becomes of each triple, and the gold triple that one of the system stands for (`partner`). */
function marks(pair, partner) {
  const found = {
    system: pair.system.triples.map(() => "extra"),
    gold: pair.gold.triples.map(() => "missing"),
    partner: pair.system.triples.map(() => null),
    back: pair.gold.triples.map(() => null),
  };
  const images = pair.system.triples.map((triple) => image(triple, partner));
  const targets = targetsOf(pair);
  markEqual(pair, found, images, targets);
  markSimilar(pair, found, images, targets);
  markOthers(pair, found, images);
  return found;
}

function join(found, mark, number, other) {
  found.system[number] = mark;
  found.gold[other] = mark;
  found.partner[number] = other;
  found.back[other] = number;
}

function markEqual(pair, found, images, targets) {
  const once = pair.duplicates === "multiset"; // a triple matches one of several equal ones
  const left = new Map([...targets].map(([key, target]) => [key, [...target.triples]]));
  images.forEach((variables, number) => {
    const numbers = variables && left.get(spelled(pair.system.triples[number][0], variables));
    if (!numbers || !numbers.length) return;
    join(found, "matched", number, once ? numbers.shift() : numbers[0]);
    if (!once) for (const other of numbers) found.gold[other] = "matched";
  });
}

function markSimilar(pair, found, images, targets) {
  images.forEach((variables, number) => {
    if (variables === null || found.system[number] === "matched") return;
    for (const [one, other, credit] of pair.similar) {
      if (one !== pair.system.triples[number][0] || credit <= 0) continue;
      const numbers = targets.get(spelled(other, variables))?.triples ?? [];
      const free = numbers.find((n) => found.gold[n] === "missing");
      if (free !== undefined) return join(found, "partly", number, free);
    }
  });
}

/* Other things said of the same variables; graphs have roots, whatever those are. */
function markOthers(pair, found, images) {
  const place = (label, variables) => {
    const kind = pair.labels[label][0];
    return kind === "top" ? kind : kind + ":" + variables.join(",");
  };
  const places = new Map();
  pair.gold.triples.forEach(([label, ...variables], number) => {
    if (found.gold[number] !== "missing") return;
    const key = place(label, variables);
    places.set(key, [...(places.get(key) ?? []), number]);
  });
  pair.system.triples.forEach(([label], number) => {
    const isTop = pair.labels[label][0] === "top";
    if (found.system[number] !== "extra" || (images[number] === null && !isTop)) return;
    const here = places.get(place(label, images[number] ?? []));
    if (here?.length) join(found, "other", number, here.shift());
  });
}

/* The mapping of the pair as it was proven, or found. */
function provenPartner(pair) {
  const partner = pair.system.variables.map(() => null);
  for (const [i, j] of pair.mapping) partner[i] = j;
  return partner;
}

// ---------------------------------------------------------------------------------------------
// Making elements

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

const byId = (id) => document.getElementById(id);

/* Characters that are not seen, or that turn the text around them, are shown as what they are. */
function visible(text) {
  const hidden =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;
  return String(text).replace(hidden, (character) => {
    const code = character.codePointAt(0);
    if (code < 32) return String.fromCodePoint(0x2400 + code);
    return "⟨U+" + code.toString(16).toUpperCase().padStart(4, "0") + "⟩";
  });
}

function cut(text, longest) {
  return text.length > longest ? [...text].slice(0, longest).join("") + "…" : text;
}

/* Text of a graph where no element can be put around it: its direction ends with it. */
function isolated(text, longest = Infinity) {
  return "\u2068" + visible(cut(text, longest)) + "\u2069";
}

/* The same as an element. */
function label(text, attributes) {
  return make("bdi", attributes, visible(text));
}

/* Four decimals, as Python writes them: what is in the middle goes to the even digit. */
function decimals(value) {
  if (value === null || value === undefined) return "–";
  const [below, rest] = [value.toFixed(60).slice(0, -56), value.toFixed(60).slice(-56)];
  return /^50*$/.test(rest) && Number(below.slice(-1)) % 2 === 0 ? below : value.toFixed(4);
}

const inFigures = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

function whole(value) {
  return inFigures.format(value);
}

/* A number of triples; those of metrics that give part of a credit are no whole numbers. */
function amount(count, scale) {
  return inFigures.format(count / scale);
}

function plural(count, one, many = one + "s") {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

// ---------------------------------------------------------------------------------------------
// What is shown now

const page = JSON.parse(byId("page-data").textContent);
const rowOf = new Map(page.rows.map((row, k) => [row.id, k]));
const ROWS_AT_ONCE = 500;

const table = { order: page.rows.map((_, k) => k), sorted: null, descending: false, limit: ROWS_AT_ONCE };
let current = null; // the pair that is open: see `opened`

const MARKS = {
  matched: { glyph: "", name: "matched" },
  other: { glyph: "≠", name: "other label" },
  partly: { glyph: "≈", name: "similar label" },
  extra: { glyph: "+", name: "only system" },
  missing: { glyph: "−", name: "only gold" },
};
const DIFFERENCES = ["other", "extra", "missing", "partly"]; // in the order of the rows' figures

const STANDINGS = {
  certain: "certain: in every best mapping",
  several: "in some of the best mappings",
  arbitrary: "arbitrary: mapped, but matches nothing",
  unknown: "in this mapping; others may be as good",
  hand: "by hand",
  none: "not mapped",
};

// ---------------------------------------------------------------------------------------------
// The overview

function introduce() {
  const { corpus } = page;
  document.title = visible(page.title);
  byId("title").append(label(page.title));
  byId("result").append(corpusSentence(corpus));
  const sizes = `${plural(corpus.pairs, "pair")}; ${amount(corpus.matched, page.scale)} matched of `
    + `${amount(corpus.system_total, page.scale)} and ${amount(corpus.gold_total, page.scale)} ${page.unit}`;
  byId("about").append(sizes, "; system ", label(page.system), ", gold ", label(page.gold));
  const notes = [...page.notes];
  if (corpus.partial) notes.push("The run was interrupted: later pairs are not in these figures.");
  if (corpus.skipped) notes.push(`${plural(corpus.skipped, "pair was", "pairs were")} skipped.`);
  for (const note of new Set(notes)) byId("notes").append(make("li", {}, label(note)));
  byId("notes").hidden = !notes.length;
  for (const [name, text] of [["Signature", page.signature], ["Versions", page.versions]]) {
    byId("made").append(make("dt", {}, name), make("dd", {}, make("code", {}, label(text))));
  }
}

function corpusSentence(corpus) {
  const name = `${page.metric} ${page.score_name}`;
  if (!corpus.pairs) return `${name}: there are no pairs.`;
  const byWord = corpus.optimal - corpus.certified;
  const word = byWord > 0 ? ` (${plural(byWord, "pair")} on the word of a solver)` : "";
  if (corpus.optimal === corpus.pairs) {
    return `${name} ${decimals(corpus.f1)}, proven: no mapping scores higher${word}.`;
  }
  const open = plural(corpus.pairs - corpus.optimal, "pair is", "pairs are");
  return `${name} between ${decimals(corpus.f1)} and ${decimals(corpus.f1_upper)}: `
    + `${open} not proven${word}.`;
}

function differences(row, which) {
  let sum = 0;
  for (const counts of Object.values(row.kinds)) sum += counts[which];
  return sum;
}

function allDifferences(row) {
  return DIFFERENCES.reduce((sum, _, which) => sum + differences(row, which), 0);
}

function kindsInWords(row, which) {
  const parts = [];
  for (const kind of page.kinds) {
    if (row.kinds[kind]?.[which]) parts.push(`${kind}\u00a0${whole(row.kinds[kind][which])}`);
  }
  return parts.join(", ");
}

function proofInWords(row) {
  if (row.status !== "optimal") return "not proven";
  return row.certified ? "checked" : "by word of " + solverName(row.solver);
}

function solverName(name) {
  return name === "dual" ? "dual bound" : name;
}

const collator = new Intl.Collator("en", { numeric: true });

/* The columns: what a row is sorted by, and what its cell shows. */
function columns() {
  const number = (key, title, value, cell) => ({
    key, title, value, isNumber: true, cell: cell ?? ((row) => amount(value(row), page.scale)),
  });
  const found = [
    { key: "id", title: "Pair", value: (row) => row.id },
    number("score", page.score_name, (row) => row.score, (row) => decimals(row.score)),
  ];
  if (page.rows.some((row) => row.upper > row.matched)) {
    found.push(number("gap", "Gap", (row) => row.upper - row.matched));
  }
  found.push(
    number("matched", "Matched", (row) => row.matched),
    number("system", "System", (row) => row.system_total),
    number("gold", "Gold", (row) => row.gold_total),
    number("differences", "Differences", allDifferences, (row) => whole(allDifferences(row))),
  );
  DIFFERENCES.forEach((mark, which) => {
    if (mark === "partly" && !page.rows.some((row) => differences(row, which))) return;
    const title = `${MARKS[mark].glyph}\u00a0${MARKS[mark].name}`;
    found.push(number(mark, title, (row) => differences(row, which), (row) => kindsCell(row, which)));
  });
  found.push({ key: "proof", title: "Proof", value: proofInWords, cell: proofInWords });
  if (page.rows.some((row) => row.words)) {
    found.push({ key: "words", title: "Sentence", value: (row) => row.words, cell: (row) => label(row.words) });
  }
  return found;
}

function kindsCell(row, which) {
  const sum = differences(row, which);
  if (!sum) return "0";
  const parts = kindsInWords(row, which);
  return [make("span", { title: parts }, whole(sum)), make("span", { class: "parts" }, parts)];
}

const COLUMNS = columns();

function tableHead() {
  const cells = COLUMNS.map((column) => make(
    "th", { scope: "col", class: column.isNumber && "number", "data-column": column.key },
    make("button", { type: "button", onclick: () => sortBy(column) }, column.title),
  ));
  byId("pairs").tHead.replaceChildren(make("tr", {}, cells));
}

function sortBy(column) {
  table.descending = table.sorted === column && !table.descending;
  table.sorted = column;
  table.limit = ROWS_AT_ONCE;
  for (const head of byId("pairs").tHead.rows[0].cells) {
    head.removeAttribute("aria-sort");
    if (head.dataset.column === column.key) {
      head.setAttribute("aria-sort", table.descending ? "descending" : "ascending");
    }
  }
  arrange();
}

const CHOICES = {
  all: () => true,
  differing: (row) => allDifferences(row) > 0,
  unproven: (row) => row.status !== "optimal",
  identical: (row) => allDifferences(row) === 0,
};

let haystacks = null; // made when first sought in

function arrange() {
  const wanted = byId("find").value.trim().toLowerCase();
  haystacks ??= page.rows.map((row) => (row.id + "\n" + row.words).toLowerCase());
  const isChosen = CHOICES[byId("which").value];
  const order = [];
  page.rows.forEach((row, k) => {
    if (haystacks[k].includes(wanted) && isChosen(row)) order.push(k);
  });
  if (table.sorted) sortRows(order, table.sorted, table.descending ? -1 : 1);
  table.order = order;
  showRows();
}

function sortRows(order, column, sign) {
  const values = new Map(order.map((k) => [k, column.value(page.rows[k])]));
  const compare = column.isNumber ? (a, b) => a - b : collator.compare;
  order.sort((a, b) => sign * compare(values.get(a), values.get(b)) || a - b);
}

function showRows() {
  const { order, limit } = table;
  byId("pairs").tBodies[0].replaceChildren(...order.slice(0, limit).map(tableRow));
  const shown = Math.min(limit, order.length);
  const all = plural(page.rows.length, "pair");
  let said = order.length === page.rows.length ? all : `${whole(order.length)} of ${all}`;
  if (shown < order.length) said += `; the first ${whole(shown)} are shown`;
  byId("count").textContent = said + ".";
  byId("more").hidden = shown === order.length;
  byId("more").textContent = `Show ${whole(Math.min(ROWS_AT_ONCE, order.length - shown))} more`;
}

function tableRow(k) {
  const row = page.rows[k];
  const cells = COLUMNS.map((column) => {
    if (column.key === "id") {
      return make("th", { scope: "row" }, make("a", { href: address(row.id) }, label(row.id)));
    }
    return make("td", { class: column.isNumber && "number", "data-column": column.key }, column.cell(row));
  });
  return make("tr", { "data-pair": k }, cells);
}

function address(id) {
  return "#id=" + encodeURIComponent(id.toWellFormed ? id.toWellFormed() : id);
}

// ---------------------------------------------------------------------------------------------
// Getting a pair: from the page, or from a file beside it, read when the first of its pairs is opened

const chunks = new Map(); // by number: the pairs, and what is to be done once they are there

/* Called by the files, with the number of the first pair in it. */
function exactmatchPairs(first, pairs) {
  chunkOf(Math.floor(first / page.chunks)).found(pairs);
}

function chunkOf(number) {
  if (!chunks.has(number)) {
    const chunk = {};
    chunk.pairs = new Promise((found, failed) => Object.assign(chunk, { found, failed }));
    chunks.set(number, chunk);
  }
  return chunks.get(number);
}

async function pairOf(k) {
  if (page.chunks === null) return JSON.parse(byId("pair-" + k).textContent);
  const number = Math.floor(k / page.chunks);
  if (!chunks.has(number)) {
    const name = "pairs/" + String(number).padStart(4, "0") + ".js";
    const failed = () => {
      chunkOf(number).failed(new Error(`${name} cannot be read: keep the folder together.`));
      chunks.delete(number);
    };
    chunkOf(number);
    document.body.append(make("script", { src: name, onerror: failed }));
  }
  const pair = (await chunkOf(number).pairs)[k - number * page.chunks];
  if (!isOf(page.rows[k], pair)) {
    throw new Error("The pairs beside this page are of another run: have the folder written anew.");
  }
  return pair;
}

function isOf(row, pair) {
  const { matched, upper } = pair?.score ?? {};
  return pair?.id === row.id && matched === row.matched && upper === row.upper;
}

// ---------------------------------------------------------------------------------------------
// Which view is open

async function route() {
  if (location.hash.length > 1 && !location.hash.startsWith("#id=")) return; // within what is open
  const wanted = wantedPair();
  if (wanted !== null) return openPair(wanted);
  closePair();
}

/* The pair that the address names; null for the overview, which a page of one pair does not have. */
function wantedPair() {
  if (location.hash.startsWith("#id=")) return readAddress(location.hash.slice(4));
  return page.rows.length === 1 ? page.rows[0].id : null;
}

function readAddress(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function closePair() {
  const last = current?.k;
  current = null;
  document.title = visible(page.title);
  byId("pair").hidden = true;
  byId("pair").replaceChildren();
  byId("overview").hidden = false;
  byId("intro").hidden = false;
  const row = last === undefined ? null : document.querySelector(`tr[data-pair="${last}"] a`);
  row?.focus();
}

async function openPair(id) {
  const k = rowOf.get(id);
  let pair = null;
  let problem = `There is no pair ${isolated(id, 200)} on this page.`;
  try {
    if (k !== undefined) pair = await pairOf(k);
  } catch (error) {
    problem = error.message;
  }
  if (wantedPair() !== id) return; // something else has been asked for meanwhile
  byId("overview").hidden = true;
  byId("intro").hidden = page.rows.length > 1;
  byId("pair").hidden = false;
  current = pair && { k, pair, proven: provenPartner(pair), partner: provenPartner(pair), zoom: null };
  document.title = visible(id) + " – " + visible(page.title);
  showPair(id, problem);
  window.scrollTo(0, 0);
  byId("pair-title").focus({ preventScroll: true });
}

function neighbour(step) {
  const order = table.order.includes(current?.k) ? table.order : page.rows.map((_, k) => k);
  const k = order[order.indexOf(current?.k) + step];
  return k === undefined ? null : page.rows[k];
}

function go(row) {
  if (row) location.hash = address(row.id);
}

function toOverview() {
  if (page.rows.length > 1) location.hash = "";
}

function onKey(event) {
  const isTyping = event.target.closest?.("input, select, textarea");
  if (event.altKey || event.ctrlKey || event.metaKey || isTyping || byId("pair").hidden) return;
  if (event.key === "n") go(neighbour(1));
  else if (event.key === "p") go(neighbour(-1));
  else if (event.key === "Escape") toOverview();
}

// ---------------------------------------------------------------------------------------------
// A pair: its head

function showPair(id, problem) {
  const head = [pairNavigation(), make("h1", { id: "pair-title", tabindex: -1 }, label(id))];
  if (!current) {
    byId("pair").replaceChildren(...head, make("p", { class: "alarm", role: "alert" }, problem));
    return;
  }
  current.optimum = marks(current.pair, current.proven);
  current.standing = current.proven.map((_, i) => provenStanding(i));
  current.segments = [];
  current.isDiscourse = current.pair.labels.some(([kind]) => kind === "role" || kind === "operator");
  byId("pair").replaceChildren(
    ...head,
    ...sentences(),
    make("p", { id: "verdict", class: "lead" }, verdict(current.pair)),
    ...caveats(),
    make("div", { id: "by-hand", role: "status", "aria-live": "polite" }),
    legend(),
    drawings(),
    make("div", { id: "texts", class: "texts" }),
    make("h2", { id: "mapping-title" }, "Mapping"),
    make("p", { class: "quiet screen-only" },
      "Choose another partner to see what the score becomes. A gold variable that is taken is freed."),
    make("div", { class: "scroll", role: "region", "aria-labelledby": "mapping-title" },
      make("table", { id: "mapping" })),
    make("details", { id: "all-triples", ontoggle: showTriples },
      make("summary", {}, `All ${page.unit}, as they were counted`),
      make("div", { class: "scroll", role: "region", "aria-label": "All triples", tabindex: 0 })),
    make("div", {
      id: "info", class: "info", role: "region", "aria-label": "What is pointed at", tabindex: 0,
    }),
  );
  showMapping();
  arrangeDrawings();
  scrollToTop();
  select(null);
}

/* Where a drawing is wider than its box, its first node from the top comes to the middle. */
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
  const by = found.certified ? `${solver}, proof checked` : `on the word of ${solver}`;
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

function sentences() {
  return current.pair.sentences.map(([side, text]) => {
    const sides = side === "both" ? ["system", "gold"] : [side];
    const name = side === "both" ? [] : [make("span", { class: "quiet" }, side + ": ")];
    return make("p", { class: "sentence" }, name, make("bdi", {}, anchored(text, sides)));
  });
}

/* The text in pieces that begin and end where an anchor does. */
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
  const usual = Object.entries(MARKS).filter(([mark]) => mark !== "partly" || current.pair.similar.length);
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

// ---------------------------------------------------------------------------------------------
// A pair: both graphs

const PADDING_X = 8; // as exactmatch/views/sizes.py has it
const PADDING_Y = 5;
const LINE_HEIGHT = 16;
const LEGIBLE = 0.7; // drawings are not made smaller than this unless one asks for it

function drawings() {
  const zoom = (text, name, change) => make("button", {
    type: "button", "aria-label": name, onclick: () => { current.zoom = change(); arrangeDrawings(); },
  }, text);
  const scale = () => current.scale;
  const side = (name) => make("figure", { "data-side": name },
    make("figcaption", {}, `${name === "system" ? "System" : "Gold"}: `,
      label(name === "system" ? page.system : page.gold)),
    make("div", { class: "scroll drawing", role: "region",
      "aria-label": `Drawing of the ${name} graph`, onscroll: scrollAlike }));
  const [width, height] = current.pair.system.size;
  const shape = (height > 1.2 * width ? " tall" : "") + (height > 600 ? " large" : "");
  return make("div", { id: "drawings" },
    make("div", { class: "controls", role: "group", "aria-label": "Size of the drawings" },
      zoom("Fit", "Fit the drawings to the width", () => 0),
      zoom("Full size", "Drawings in full size", () => 1),
      zoom("−", "Smaller drawings", () => Math.max(0.1, scale() / 1.25)),
      zoom("+", "Larger drawings", () => Math.min(4, scale() * 1.25))),
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

/* Side by side where both are legible so, else one below the other. */
function arrangeDrawings() {
  if (!current) return;
  const graphs = byId("drawings").querySelector(".graphs");
  const [width, height] = current.pair.system.size;
  const room = graphs.clientWidth - 4;
  const half = (room - 24) / 2;
  const isBeside = half / width >= LEGIBLE;
  graphs.classList.toggle("beside", isBeside);
  const fitting = Math.min(1, (isBeside ? half : room) / width);
  const scale = current.zoom === null ? Math.max(LEGIBLE, fitting) : current.zoom || fitting;
  current.scale = scale;
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
    "aria-label": `${side} graph: ${plural(nodes.length, "node")}, ${plural(edges.length, "edge")}`,
  }, edges.map(([path]) => path), nodes, edges.map(([, text]) => text));
  // What listens to the focus is around it: some browsers stop at an <svg> that does.
  const around = make("div", {}, element);
  rove(around, nodes, (key, from) => nearest(graph.nodes, from, key));
  return around;
}

/* A curve with its head, and apart from it its label, which is drawn above all nodes. */
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
  const text = draw("text", {
    ...attributes, class: "edge-label mark", x: edge.at[0], y: edge.at[1], dy: "0.35em",
    "text-anchor": "middle",
  }, glyphed(mark, edge.label), draw("title", {}, tripleText(side, edge.triple, 500)));
  return [line, text];
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
    element.append(...drawnLine(side, line, node, y, n > 0));
  });
  return element;
}

/* A line of a node; what is the matter with it stands at its left edge, outside of the node. */
function drawnLine(side, line, node, y, isLeft) {
  const triples = [...new Set(line.map(([, triple]) => triple).filter((triple) => triple !== null))];
  const pieces = line.map(([text, triple, variable]) => draw("tspan", {
    class: triple === null ? null : "mark", "data-side": side, "data-triple": triple,
    "data-variable": variable, "data-mark": triple === null ? null : current.marks[side][triple],
  }, isolated(text)));
  const found = [draw("text", {
    x: isLeft ? node.x + PADDING_X : node.x + node.w / 2, y, dy: "0.35em",
    "text-anchor": isLeft ? "start" : "middle",
  }, pieces)];
  const differing = triples.map((triple) => current.marks[side][triple]).filter((mark) => mark !== "matched");
  if (differing.length) {
    const glyphs = [...new Set(differing)].map((mark) => MARKS[mark].glyph).join("");
    found.push(draw("text", {
      class: "glyph mark", "data-mark": differing[0], x: node.x - 3, y, dy: "0.35em",
      "text-anchor": "end", "aria-hidden": "true",
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

// ---------------------------------------------------------------------------------------------
// A pair: its texts

function text(side) {
  const told = new Set(); // a triple has its glyph where it is first told
  const lines = current.pair[side].text.map(([indent, pieces]) => make("div", {
    class: "text-line", style: `padding-left: ${2 * indent}ch`,
  }, pieces.map((piece) => textPiece(side, piece, told))));
  const element = make("div", { class: "lines" }, lines);
  rove(element, lines, (key, at) => at + ({ ArrowDown: 1, ArrowUp: -1 }[key] ?? 0));
  return make("figure", {}, make("figcaption", {}, side === "system" ? "System" : "Gold"),
    make("div", { class: "scroll text", role: "region", "aria-label": `Text of the ${side} graph` },
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

/* A triple as one would write it: `b / boy`, `ARG0(w, b)`. */
function tripleText(side, number, longest = Infinity) {
  const [labelled, ...variables] = current.pair[side].triples[number];
  const [kind, name, ...constants] = current.pair.labels[labelled];
  const names = variables.map((variable) => isolated(current.pair[side].variables[variable], longest));
  if (CONCEPTS.includes(kind) && variables.length === 1 && !constants.length) {
    return `${names[0]} / ${isolated(name ?? "", longest)}`;
  }
  // An anchor has no name: its label is where it points to.
  if (kind === "anchor") return `anchor(${[...names, isolated(name, longest)].join(", ")})`;
  const said = constants.map((constant) => isolated(constant, longest));
  return `${isolated(name || kind, longest)}(${[...names, ...said].join(", ")})`;
}

function tripleElement(side, number) {
  const mark = current.marks[side][number];
  return make("span", {
    class: "mark", "data-side": side, "data-triple": number, "data-mark": mark,
  }, mark === "matched" ? [] : [glyph(mark)], tripleText(side, number));
}

/* Every triple, also those that neither drawing nor text tells. */
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
  const heads = ["", "System", "Gold"].map((name) => make("th", { scope: "col" }, name || "Mark"));
  details.querySelector(".scroll").replaceChildren(
    make("table", {}, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows)));
}

// ---------------------------------------------------------------------------------------------
// A pair: the mapping, and mappings by hand

const NAME_LENGTH = 200; // longer names are cut in tables; lists of triples have them in full
const MOST_OPTIONS = 100; // of more gold variables, a list is made when it is opened

function otherSide(side) {
  return side === "system" ? "gold" : "system";
}

function partnerOf(side, variable) {
  if (side === "system") return current.partner[variable];
  const found = current.partner.indexOf(variable);
  return found < 0 ? null : found;
}

function includesPair(pairs, i, j) {
  return pairs !== null && pairs.some(([a, b]) => a === i && b === j);
}

function countMatches(found, i) {
  let count = 0;
  current.pair.system.triples.forEach(([, ...variables], number) => {
    const mark = found.system[number];
    if (variables.includes(i) && (mark === "matched" || mark === "partly")) count += 1;
  });
  return count;
}

/* How sure a pair of the proven mapping is. */
function provenStanding(i) {
  const j = current.proven[i];
  if (j === null) return "none";
  if (includesPair(current.pair.every, i, j)) return "certain";
  if (!countMatches(current.optimum, i)) return "arbitrary";
  return current.pair.every === null ? "unknown" : "several";
}

function standingOf(side, variable) {
  const i = side === "system" ? variable : partnerOf("gold", variable);
  if (i === null) return "none";
  if (current.partner[i] !== current.proven[i]) return current.partner[i] === null ? "none" : "hand";
  return current.standing[i];
}

/* Everything that depends on the mapping. */
function showMapping() {
  current.marks = marks(current.pair, current.partner);
  for (const side of ["system", "gold"]) {
    byId("drawings").querySelector(`figure[data-side="${side}"] .drawing`).replaceChildren(drawing(side));
  }
  byId("texts").replaceChildren(text("system"), text("gold"));
  byId("mapping").replaceChildren(...mappingTable());
  byId("by-hand").replaceChildren(...byHand());
  showTriples();
}

function mappingTable() {
  const { system, gold } = current.pair;
  const heads = ["System", "Gold", "How sure", "Matched"].map((name) => make("th", { scope: "col" }, name));
  const rows = system.variables.map((_, i) => mappingRow(i));
  gold.variables.forEach((_, j) => {
    if (partnerOf("gold", j) !== null) return;
    rows.push(make("tr", { "data-side": "gold", "data-variable": j, "data-standing": "none" },
      make("td", { class: "quiet" }, "(none)"), make("td", {}, label(cut(gold.names[j], NAME_LENGTH))),
      make("td", {}, STANDINGS.none), make("td", {})));
  });
  return [make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows)];
}

function mappingRow(i) {
  const { system, gold, some } = current.pair;
  const [j, standing] = [current.partner[i], standingOf("system", i)];
  const isByHand = j !== current.proven[i];
  let sure = isByHand && j === null ? "not mapped, by hand" : STANDINGS[standing];
  if (some !== null && !isByHand) {
    const others = some.filter(([a, b]) => a === i && b !== j).map(([, b]) => isolated(gold.variables[b], 80));
    if (others.length) sure += `; in other best mappings ${others.slice(0, 8).join(", ")}${others.length > 8 ? ", …" : ""}`;
  }
  const all = system.triples.filter(([, ...variables]) => variables.includes(i)).length;
  return make("tr", { "data-side": "system", "data-variable": i, "data-standing": standing },
    make("th", { scope: "row" }, label(cut(system.names[i], NAME_LENGTH))),
    make("td", {}, chooser(i, j), make("span", { class: "print-only" }, j === null ? "(none)" : label(cut(gold.names[j], NAME_LENGTH)))),
    make("td", { class: "standing" }, sure),
    make("td", { class: "number" }, `${countMatches(current.marks, i)} of ${all}`));
}

function chooser(i, j) {
  const { system, gold } = current.pair;
  const option = (b) => make("option", { value: b ?? "", selected: b === j },
    b === null ? "(none)" : isolated(gold.names[b], 60));
  const all = [null, ...gold.variables.keys()];
  const isLong = all.length > MOST_OPTIONS;
  const element = make("select", {
    "aria-label": `Partner of ${isolated(system.names[i], 200)}`,
    onchange: () => mapByHand(i, element.value === "" ? null : Number(element.value)),
  }, (isLong ? all.filter((b) => b === null || b === j) : all).map(option));
  if (isLong) {
    const complete = () => element.replaceChildren(...all.map(option));
    element.addEventListener("focus", complete, { once: true });
  }
  return element;
}

function mapByHand(i, j) {
  const former = j === null ? -1 : current.partner.indexOf(j);
  if (former >= 0) current.partner[former] = null;
  current.partner[i] = j;
  showMapping();
  arrangeDrawings();
  document.querySelector(`#mapping tr[data-side="system"][data-variable="${i}"] select`).focus();
}

function resetMapping() {
  current.partner = [...current.proven];
  showMapping();
  arrangeDrawings();
  select(null);
  byId("mapping-title").scrollIntoView({ block: "nearest" });
}

/* What a mapping by hand is worth, beside what is proven. */
function byHand() {
  const { pair, partner, proven } = current;
  if (partner.every((j, i) => j === proven[i])) return [];
  const { score: found, scale } = pair;
  const matched = score(pair, partner);
  const sum = found.system_total + found.gold_total;
  const known = found.status === "optimal" ? "proven optimum" : "best found";
  const line = `By hand: ${amount(matched, scale)} matched, ${page.score_name} ${decimals(sum ? 2 * matched / sum : 0)}; `
    + `${known}: ${amount(found.matched, scale)}, ${page.score_name} ${decimals(found.f1)}`;
  const children = [
    make("p", { id: "by-hand-score", "data-matched": matched }, make("strong", {}, line + "; " + compared(matched) + ".")),
    ...changes(),
    make("button", { type: "button", id: "reset", class: "screen-only", onclick: resetMapping },
      found.status === "optimal" ? "Back to the proven mapping" : "Back to the mapping found"),
  ];
  if (matched > found.upper) {
    children.unshift(make("p", { class: "alarm", role: "alert" }, "This is an error: the mapping by hand matches "
      + "more than is proven possible. Please report it, with this pair."));
  }
  return children;
}

function compared(matched) {
  const { score: found, scale } = current.pair;
  if (matched < found.matched) return `${amount(found.matched - matched, scale)} fewer`;
  if (matched > found.matched) return `${amount(matched - found.matched, scale)} more: better than what was found`;
  return found.status === "optimal" ? "as good as the proven one" : "as good as what was found";
}

/* What a triple of the system counts under marks. */
function creditOf(found, number) {
  const { pair } = current;
  if (found.system[number] === "matched") return pair.scale;
  if (found.system[number] !== "partly") return 0;
  const [one] = pair.system.triples[number];
  const [other] = pair.gold.triples[found.partner[number]];
  return pair.similar.find(([a, b]) => a === one && b === other)[2];
}

function changes() {
  const [lost, won] = [[], []];
  current.pair.system.triples.forEach((_, number) => {
    const change = creditOf(current.marks, number) - creditOf(current.optimum, number);
    if (change < 0) lost.push(number);
    if (change > 0) won.push(number);
  });
  return [["Loses", lost], ["Gains", won]].filter(([, numbers]) => numbers.length).map(([name, numbers]) => {
    const told = numbers.slice(0, 12).map((number) => tripleText("system", number, 60)).join(", ");
    const rest = numbers.length > 12 ? `, and ${whole(numbers.length - 12)} more` : "";
    return make("p", { class: "small" }, `${name} ${told}${rest}.`);
  });
}

// ---------------------------------------------------------------------------------------------
// A pair: what is pointed at, and its partner

/* Shows what a pointer or the focus is on: {side, variable, triple}, or null. */
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

// ---------------------------------------------------------------------------------------------

function start() {
  introduce();
  tableHead();
  arrange();
  const narrow = () => { table.limit = ROWS_AT_ONCE; arrange(); };
  byId("find").addEventListener("input", narrow);
  byId("which").addEventListener("change", narrow);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("by-kind").addEventListener("change", (event) => byId("pairs").classList.toggle("by-kind", event.target.checked));
  byId("more").addEventListener("click", () => { table.limit += ROWS_AT_ONCE; showRows(); });
  byId("pair").addEventListener("pointerover", onPoint);
  byId("pair").addEventListener("focusin", onPoint);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", route);
  window.addEventListener("resize", arrangeDrawings);
  route();
}

start();
