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

/* The marks under the current mapping. */
function currentMarks() {
  return current.pair.fixed ? toldMarks(current.pair) : marks(current.pair, current.partner);
}

/* Whether a pair of the proven mapping is in every best mapping, by its matched triples. */
function provenStanding(i, [matches]) {
  const j = current.proven[i];
  if (j === null) return "none";
  if (includesPair(current.pair.every, i, j)) return "certain";
  if (!matches) return "arbitrary";
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
  current.marks = currentMarks();
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
  const heads = [SIDE_TITLES.system, SIDE_TITLES.gold, "How sure", "Matched"].map((name) => make("th", { scope: "col" }, name));
  const counts = countsOfVariables(current.pair, current.marks);
  const rows = system.variables.map((_, i) => mappingRow(i, counts[i]));
  gold.variables.forEach((_, j) => {
    if (partnerOf("gold", j) !== null) return;
    rows.push(make("tr", { "data-side": "gold", "data-variable": j, "data-standing": "none" },
      make("td", { class: "quiet" }, "(none)"), make("td", {}, label(cut(gold.names[j], NAME_LENGTH))),
      make("td", {}, STANDINGS.none), make("td", {})));
  });
  return [make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows)];
}

function mappingRow(i, [matches, all]) {
  const { system, gold, some, fixed } = current.pair;
  const [j, standing] = [current.partner[i], standingOf("system", i)];
  const isByHand = j !== current.proven[i];
  let sure = isByHand && j === null ? "not mapped, by hand" : STANDINGS[standing];
  if (some !== null && !isByHand) {
    const others = some.filter(([a, b]) => a === i && b !== j).map(([, b]) => isolated(gold.variables[b], 80));
    if (others.length) sure += `; in other best mappings ${others.slice(0, 8).join(", ")}${others.length > 8 ? ", …" : ""}`;
  }
  const partner = j === null ? "(none)" : label(cut(gold.names[j], NAME_LENGTH));
  return make("tr", { "data-side": "system", "data-variable": i, "data-standing": standing },
    make("th", { scope: "row" }, label(cut(system.names[i], NAME_LENGTH))),
    make("td", {}, fixed ? partner : [chooser(i, j), make("span", { class: "print-only" }, partner)]),
    make("td", { class: "standing" }, sure),
    make("td", { class: "number" }, `${matches} of ${all}`));
}

function chooser(i, j) {
  const { system, gold, links } = current.pair;
  const option = (b) => make("option", { value: b ?? "", selected: b === j },
    b === null ? "(none)" : isolated(gold.names[b], 60));
  const all = [null, ...(links ? links[i] : gold.variables.keys())]; // keys may allow but some
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

/* The score of a mapping by hand, beside the proven score. */
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

/* The value of a system triple under the marks. */
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
