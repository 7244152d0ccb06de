// The score of two files: as on the command line, as a table of pairs, and what can be saved

const ROWS_AT_ONCE = 200;
const CERTIFICATES = "/out/certificates.jsonl";
const PAIRS = "/out/pairs.jsonl";

/* So many characters of certificates are checked without being asked to. */
const CHECKED_AT_ONCE = 5_000_000;

let last = null; // the run whose result is shown

async function scoreTwo(files, number, watch) {
  await showScored(await scored(files, number, watch));
}

async function showScored(run) {
  last = run;
  showScore();
  const size = (last.found.files[CERTIFICATES] ?? "").length;
  if (last.isThere && last.proves && size && size < CHECKED_AT_ONCE) await checkAll();
}

/* Scores the first of two files against the second; *also* are further words of the command. */
async function scored(files, number, watch, also = []) {
  const { asked, inputs: named } = await askedFor();
  const [system, gold] = files.map((file, k) => `${["system", "gold"][k]}/${plainName(file.name)}`);
  const inputs = [...named, ...await Promise.all(
    [system, gold].map(async (path, k) => ({ path, data: await bytesOf(files[k]) })),
  )];
  const proves = chosenMetric().proves;
  const writes = ["--per-pair", PAIRS, ...(proves ? ["--certificates", CERTIFICATES] : [])];
  const common = ["--solver", "dual", "--no-seconds", ...wordsOf(asked), ...also];
  const words = ["score", system, gold, ...common, ...writes];
  const started = performance.now();
  const run = await runShared({ inputs, words, outputs: [PAIRS, CERTIFICATES], number }, watch);
  const found = await run.answer("text");
  const seconds = (performance.now() - started) / 1000;
  const names = files.map((file) => file.name);
  const typed = ["exactmatch", "score", ...names.map((name) => name.replace(/^-/, "./-")), ...common];
  return { ...run, asked, found, system, gold, seconds, typed, proves, names, also, isThere: found.printed.trim() !== "" };
}

function showScore() {
  const { found, seconds, typed, isThere } = last;
  byId("text").textContent = visibleLines(found.printed.trimEnd());
  byId("text").hidden = !isThere;
  byId("text").classList.remove("wraps");
  showSaid(found, isThere);
  byId("command").replaceChildren("On the command line: ", make("code", {}, visible(typed.map(shellWord).join(" "))));
  tell(isThere ? `Done in ${seconds.toFixed(1)} seconds.` : "There is no result.", !isThere);
  clearResult();
  if (!isThere) return;
  const rows = linesOf(found.files[PAIRS]).map((line) => JSON.parse(line));
  showSaving(rows);
  showTable(rows);
}

function clearResult() {
  byId("saving").replaceChildren();
  byId("table").replaceChildren();
  byId("result").hidden = false;
  byId("pair").hidden = true;
}

function showSaid(found, isThere) {
  byId("said").textContent = visibleLines(found.said.trimEnd());
  byId("said").hidden = !found.said.trim();
  byId("said").classList.toggle("alarm", !isThere);
}

const visibleLines = (text) => text.split("\n").map(visible).join("\n");
const linesOf = (text) => (text ?? "").split("\n").filter((line) => line);

function shellWord(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// What can be saved

function save(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function savingButton(said, act) {
  const button = make("button", { type: "button", onclick: async () => {
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Cancelled)) tell(error.message, true);
    } finally {
      button.disabled = false;
    }
  } }, said);
  return button;
}

function formatButton(format, ending) {
  return savingButton(`Save ${format.toUpperCase()}`, async () => {
    const { printed, said } = await alone(() => last.answer(format));
    if (!printed) throw new Error(said.trim());
    save(`score.${ending}`, printed);
  });
}

function showSaving(rows) {
  const { found, proves } = last;
  const buttons = [
    savingButton("Save text", () => save("score.txt", found.printed)),
    formatButton("json", "json"), formatButton("csv", "csv"),
    savingButton("Save pairs", () => save("pairs.jsonl", found.files[PAIRS])),
  ];
  if (proves) {
    buttons.push(savingButton("Save certificates", () => save("certificates.jsonl", found.files[CERTIFICATES])));
    if (rows.length) buttons.push(savingButton("Check all proofs again", () => alone(checkAll)));
    if (rows.length) buttons.push(savingButton("Save page of all pairs", savePage));
  }
  if (last.back) buttons.unshift(make("button", { type: "button", onclick: last.back }, "Back to all files"));
  byId("saving").append(...buttons, make("p", { id: "checked", role: "status", "aria-live": "polite" }));
}

async function savePage() {
  tell("The page of all pairs is being made …");
  save("pairs.html", await shownPage(null), "text/html");
  tell("The page of all pairs is made.");
}

// The table of pairs

function columnsOf(rows) {
  const number = (title, value, cell) => ({ title, value, cell: cell ?? ((row) => whole(value(row))), isNumber: true });
  const upper = (row) => row.f1_upper ?? row.score_upper ?? row.score;
  const score = (row) => (upper(row) > row.score ? `${decimals(row.score)} – ${decimals(upper(row))}` : decimals(row.score));
  const found = [
    { title: "Pair", value: (row) => row.id, cell: pairCell, isHead: true },
    number(rows[0]?.score_name ?? "Score", (row) => row.score, score),
  ];
  if (!rows.some((row) => row.matched === undefined || row.matched === null)) {
    found.push(
      number("Matched", (row) => row.matched), number("System", (row) => row.system_total),
      number("Gold", (row) => row.gold_total),
      number("Unmatched", (row) => row.system_total + row.gold_total - 2 * row.matched),
    );
  }
  found.push({ title: "Proof", value: proofWords, cell: proofWords });
  return found;
}

function proofWords(row) {
  if (!last.proves) return row.status === "optimal" ? "–" : row.status;
  if (row.status !== "optimal") return row.status === "skipped" ? "skipped" : "not proven";
  return row.certified ? "proven, checked" : "proven";
}

function pairCell(row) {
  if (!last.proves || row.status === "skipped") return label(row.id);
  return make("button", { type: "button", class: "link", onclick: () => openPair(row.id) }, label(row.id));
}

function showTable(rows) {
  if (!rows.length) return;
  const columns = columnsOf(rows);
  const view = { rows, limit: ROWS_AT_ONCE, sorted: null, descending: false };
  const body = make("tbody");
  const more = make("button", { type: "button", onclick: () => { view.limit += ROWS_AT_ONCE; fillRows(); } });
  const count = make("p", { class: "quiet", role: "status" });
  const heads = columns.map((column) => make("th", { scope: "col", class: column.isNumber && "number" },
    make("button", { type: "button", onclick: () => sortBy(column) }, column.title)));
  const find = make("input", { type: "search", id: "find", autocomplete: "off", oninput: narrow });

  function narrow() {
    const wanted = find.value.trim().toLowerCase();
    view.rows = rows.filter((row) => row.id.toLowerCase().includes(wanted));
    if (view.sorted) sortRows();
    fillRows();
  }

  function sortRows() {
    const { value, isNumber } = view.sorted;
    const compare = isNumber ? (a, b) => a - b : new Intl.Collator("en", { numeric: true }).compare;
    const sign = view.descending ? -1 : 1;
    view.rows = [...view.rows].sort((a, b) => sign * compare(value(a), value(b)));
  }

  function sortBy(column) {
    view.descending = view.sorted === column && !view.descending;
    view.sorted = column;
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[columns.indexOf(column)].setAttribute("aria-sort", view.descending ? "descending" : "ascending");
    sortRows();
    fillRows();
  }

  function fillRows() {
    const shown = view.rows.slice(0, view.limit);
    body.replaceChildren(...shown.map((row) => make("tr", {}, columns.map((column) => (column.isHead
      ? make("th", { scope: "row" }, column.cell(row))
      : make("td", { class: column.isNumber && "number" }, column.cell(row)))))));
    count.textContent = `${plural(view.rows.length, "pair")}${shown.length < view.rows.length ? `, ${whole(shown.length)} shown` : ""}.`;
    more.hidden = shown.length === view.rows.length;
    more.textContent = "Show more";
  }

  byId("table").append(
    make("h3", {}, "Pairs"),
    make("p", { class: "controls" }, make("label", {}, "Find ", find)), count,
    make("div", { class: "scroll", role: "region", "aria-label": "Table of pairs", tabindex: "0" },
      make("table", { id: "pairs" }, make("thead", {}, make("tr", {}, heads)), body)),
    make("p", { class: "controls" }, more),
  );
  fillRows();
}

// The page of a pair, as exactmatch show writes it, with its certificate, which it checks

let pairAddress = null;

/* What only score takes, or what would leave the pair out. */
const NOT_SHOWN = new Set(options.filter((one) => !one.is_shown).map((one) => one.name));

async function shownPage(id) {
  const { system, gold, found, asked, also } = last;
  const own = wordsOf(asked, (name) => NOT_SHOWN.has(name) || name === "ids");
  return alone(async () => {
    const first = await last.first();
    const lines = linesOf(found.files[CERTIFICATES]);
    const wanted = id === null ? lines : lines.filter((line) => JSON.parse(line).id === id);
    const words = ["show", system, gold, "-o", "/out/pair.html", "--solver", "dual", ...own, ...also];
    if (id !== null) words.push("--id", id);
    if (wanted.length) {
      // The page names this file, and a reader can save it under this name.
      await first.call("write", { path: CERTIFICATES, text: `${wanted.join("\n")}\n` });
      words.push("--certificates", CERTIFICATES);
    }
    const answer = await first.call("answered", { words, shares: [], outputs: ["/out/pair.html"] });
    const page = answer.files["/out/pair.html"];
    if (answer.status > 1 || !page) throw new Error(answer.said.trim() || "The page of the pair could not be made.");
    return page;
  });
}

async function openPair(id) {
  tell(`The page of ${isolated(id, 100)} is being made …`);
  try {
    showPair(id, await shownPage(id));
    tell("");
  } catch (error) {
    if (!(error instanceof Cancelled)) tell(error.message, true);
  }
}

function showPair(id, text) {
  if (pairAddress) URL.revokeObjectURL(pairAddress);
  pairAddress = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  byId("pair-frame").src = pairAddress;
  byId("pair-title").replaceChildren("Pair ", label(cut(id, 200)));
  byId("pair-save").onclick = () => save("pair.html", text, "text/html");
  byId("pair").hidden = false;
  byId("pair-title").scrollIntoView();
  byId("pair-title").focus({ preventScroll: true });
}

function closePair() {
  byId("pair").hidden = true;
  byId("pair-frame").removeAttribute("src");
  byId("result").focus();
}

// All proofs, checked by the checker in JavaScript, which shares nothing with what has made them

async function checkAll() {
  const { system, gold, found, asked, also } = last;
  const said = byId("checked");
  said.classList.remove("alarm");
  said.textContent = "Proofs are being checked …";
  const own = wordsOf(asked, (name) => !EXPORTED.has(name));
  const words = ["export", system, gold, "--to", "triples", "-o", "/out/triples.jsonl", ...own, ...also];
  try {
    const first = await last.first();
    const answer = await first.call("answered", { words, shares: [], outputs: ["/out/triples.jsonl"] });
    const triples = answer.files["/out/triples.jsonl"];
    if (triples) return showFindings(said, await findingsOn(linesOf(found.files[CERTIFICATES]), linesOf(triples)));
    said.textContent = `Proofs are not checked again: ${visible(answer.said.trim())}`;
  } catch (error) {
    said.textContent = "Proofs are not checked again.";
    throw error;
  }
}

async function findingsOn(certificates, triples) {
  const source = `${await textOf("checker.js")}\nonmessage = ({ data }) => postMessage({ result: exactmatchChecker.checkAll(...data.given) });`;
  stopIfCancelled();
  const checker = new Helper(source);
  others.add(checker);
  try {
    return await checker.call("check", { given: [certificates, triples] });
  } finally {
    others.delete(checker);
    checker.end();
  }
}

const EXPORTED = new Set(options.filter((one) => one.is_exported).map((one) => one.name));

function showFindings(said, findings) {
  const number = (verdict) => findings.filter((one) => one.verdict === verdict).length;
  const refuted = findings.filter((one) => one.verdict === "refuted");
  const rest = ["bounded", "unproven", "refuted"].filter(number).map((verdict) => `; ${verdict}: ${whole(number(verdict))}`);
  said.textContent = `Checked in this browser: ${whole(number("verified"))} of ${whole(findings.length)}${rest.join("")}.`
    + refuted.slice(0, 5).map((one) => ` ${isolated(one.id, 60)}: ${visible(one.why)}.`).join("");
  said.classList.toggle("alarm", refuted.length > 0);
}
