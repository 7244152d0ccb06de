// The overview

function introduce() {
  const { corpus } = page;
  document.title = visible(page.title);
  byId("title").replaceChildren(label(page.title));
  byId("result").append(corpusSentence(corpus));
  const sizes = `${plural(corpus.pairs, "pair")}; ${amount(corpus.matched, page.scale)} matched of `
    + `${amount(corpus.system_total, page.scale)} and ${amount(corpus.gold_total, page.scale)} ${page.unit}`;
  const [first, second] = page.sides ? ["", " and "] : ["system ", ", gold "];
  byId("about").append(sizes, `; ${first}`, label(page.system), second, label(page.gold));
  for (const note of page.notes) byId("notes").append(make("li", {}, label(note)));
  byId("notes").hidden = !page.notes.length;
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

const NAME_UNBROKEN = 32; // longer identifiers may be broken

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

/* The columns: the key for sorting, and the content of a cell. */
function columns() {
  const number = (key, title, value, cell) => ({
    key, title, value, isNumber: true, cell: cell ?? ((row) => amount(value(row), page.scale)),
  });
  const found = [
    { key: "id", title: "Pair", value: (row) => row.id },
    number("score", page.score_name, (row) => row.score, (row) => decimals(row.score)),
  ];
  if (page.rows.some((row) => row.words)) {
    found.push({ key: "words", title: "Sentence", value: (row) => row.words, cell: (row) => label(row.words) });
  }
  if (page.rows.some((row) => row.upper > row.matched)) {
    found.push(number("gap", "Gap", (row) => row.upper - row.matched));
  }
  found.push(
    number("matched", "Matched", (row) => row.matched),
    number("system", SIDE_TITLES.system, (row) => row.system_total),
    number("gold", SIDE_TITLES.gold, (row) => row.gold_total),
    number("differences", "Differences", allDifferences, (row) => whole(allDifferences(row))),
  );
  DIFFERENCES.forEach((mark, which) => {
    if (mark === "partly" && !page.rows.some((row) => differences(row, which))) return;
    const title = `${MARKS[mark].glyph}\u00a0${MARKS[mark].name}`;
    found.push(number(mark, title, (row) => differences(row, which), (row) => kindsCell(row, which)));
  });
  found.push({ key: "proof", title: "Proof", value: proofInWords, cell: proofInWords });
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
      const isShort = row.id.length <= NAME_UNBROKEN;
      return make("th", { scope: "row", class: isShort && "whole" }, make("a", { href: address(row.id) }, label(row.id)));
    }
    return make("td", { class: column.isNumber && "number", "data-column": column.key }, column.cell(row));
  });
  return make("tr", { "data-pair": k }, cells);
}

function address(id) {
  return "#id=" + encodeURIComponent(id.toWellFormed ? id.toWellFormed() : id);
}
