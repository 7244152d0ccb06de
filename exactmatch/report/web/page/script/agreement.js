// Three or more files: as exactmatch iaa has it or, without numpy, every two scored, and the means over these

const LEFT_OUT = "Confidence intervals, what people disagree on, and plots take numpy and matplotlib, which this page "
  + "does not have: exactmatch iaa has them.";
const NO_PLOTS = "Plots take matplotlib, which this page does not have: exactmatch iaa --plots has them.";
const PROOFS = "/out/proofs";
const NOT_STUDIED = new Set(options.filter((one) => !one.is_studied).map((one) => one.name));

function measureAgreement(files, number, watch) {
  if (!chosenMetric().proves) throw new Error("Agreement takes a metric that maps variables.");
  return (settings.packages.numpy ? study : compareAll)(files, number, watch);
}

/* Two files, whose items have the same position or, where their identifiers are not the same, the same identifier. */
async function scoredBy(files, number, watch, also = []) {
  const found = await scored(files, number, watch, also);
  if (found.isThere || also.length || byId("option--pair-by").value) return found;
  return scored(files, number, watch, ["--pair-by", "id"]);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

/* A score, or what it lies between. */
function between(low, high) {
  return high > low ? `${decimals(low)} – ${decimals(high)}` : decimals(low);
}

// With numpy: the command iaa

async function study(files, number, watch) {
  const { asked, inputs: named } = await askedFor();
  const others = asked.filter(({ name }) => NOT_STUDIED.has(name)).map(({ words }) => words[0]);
  if (others.length) throw new Error(`${others.join(", ")}: for two files only, not for agreement.`);
  const paths = pathsOf(files, named);
  const inputs = [...named, ...await Promise.all(files.map(async (file, k) => ({ path: paths[k], data: await bytesOf(file) })))];
  const words = ["iaa", ...paths, ...wordsOf(asked), "--certificates", PROOFS];
  const started = performance.now();
  const run = await runShared({ inputs, words, outputs: [PROOFS], number }, (all) => watch(all, "", "item"));
  const found = await run.answer("json");
  const isThere = found.printed.trim() !== "";
  const typed = ["exactmatch", ...words.slice(0, -1), "proofs"];
  const report = isThere && await run.answer(settings.packages.matplotlib ? "html" : "text");
  const seconds = (performance.now() - started) / 1000;
  if (isThere) return showStudy({ ...run, files, number, found, report: report.printed, typed, seconds });
  last = { found, seconds, typed, isThere };
  return showScore();
}

/* Paths of files, by which they are called: their names or, where these would not do, with a number before. */
function pathsOf(files, named) {
  const names = files.map((file) => plainName(file.name));
  const isPlain = (name) => !name.startsWith("-") && !named.some(({ path }) => path.startsWith(`${name}/`));
  return new Set(names).size === names.length && names.every(isPlain) ? names : names.map((name, k) => `${k + 1}/${name}`);
}

function showStudy(made) {
  const { files, number, found, report, typed, seconds } = made;
  const { result, notes, tables } = JSON.parse(found.printed);
  const couples = files.flatMap((file, k) => files.slice(k + 1).map((other) => [file, other]));
  const open = (k) => work(async () => {
    const run = await scoredBy(couples[k], number, showProgress);
    await showScored({ ...run, back: () => showStudy(made) });
  });
  last = null;
  clearResult();
  byId("text").hidden = false;
  byId("text").classList.add("wraps");
  byId("text").textContent = visibleLines([result, ...notes].join("\n"));
  showSaid(found, true);
  byId("command").replaceChildren("On the command line: ", make("code", {}, visible(typed.map(shellWord).join(" "))));
  tell(`Done in ${seconds.toFixed(1)} seconds.`);
  const saved = (format, ending, said) => savingButton(`Save ${said}`, async () => {
    save(`agreement.${ending}`, (await alone(() => made.answer(format))).printed);
  });
  byId("saving").append(
    settings.packages.matplotlib ? savingButton("Save report", () => save("agreement.html", report, "text/html")) : "",
    saved("text", "txt", "text"), saved("json", "json", "JSON"), saved("csv", "csv", "CSV"),
    savingButton("Save certificates", () => Object.entries(found.files).forEach(
      ([path, text]) => save(path.slice(PROOFS.length + 1), text),
    )),
  );
  const rows = tables.pairs.map((row) => studiedRow(row, [row.first, row.second]));
  showAgreementTable(rows, studiedRow(tables.agreement[0], []), open);
  byId("table").append(make("h3", {}, "Report"), shownReport(report));
}

function shownReport(report) {
  if (!settings.packages.matplotlib) {
    return make("div", {}, make("p", { class: "quiet" }, NO_PLOTS), make("pre", { class: "report", tabindex: "0" }, visibleLines(report)));
  }
  const address = URL.createObjectURL(new Blob([report], { type: "text/html" }));
  return make("iframe", { id: "report-frame", title: "The report, with plots", src: address, onload: () => URL.revokeObjectURL(address) });
}

function studiedRow(row, names) {
  const ends = (name) => [row[name], row[`${name}_upper`]];
  const interval = row.f1_low === null ? "–" : `${decimals(row.f1_low)} to ${decimals(row.f1_high)}`;
  return { names, micro: ends("f1"), interval, macro: ends("macro_f1"), pairs: row.pairs, optimal: row.proven, certified: row.certified };
}

// Without numpy: every two files scored

async function compareAll(files, number, watch) {
  const started = performance.now();
  let found = await scoredEach(files, number, watch, []);
  if (!byId("option--pair-by").value && found.some((one) => !one.isThere)) found = await scoredEach(files, number, watch, ["--pair-by", "id"]);
  last = null;
  const failed = found.find((one) => !one.isThere);
  if (failed) {
    last = failed;
    return showScore();
  }
  for (const one of found) one.score = JSON.parse((await one.answer("json")).printed);
  return showAgreement(files, found, (performance.now() - started) / 1000);
}

async function scoredEach(files, number, watch, also) {
  const found = [];
  for (let k = 0; k < files.length; k += 1) {
    for (const other of files.slice(k + 1)) {
      const doing = `${isolated(files[k].name)} and ${isolated(other.name)}: `;
      found.push(await scored([files[k], other], number, (all) => watch(all, doing), also));
      if (!found.at(-1).isThere) return found;
    }
  }
  return found;
}

function agreementRows(found) {
  return found.map(({ names, score, found: { files } }) => {
    const pairs = linesOf(files[PAIRS]).map((line) => JSON.parse(line)).filter((row) => row.status !== "skipped");
    return {
      names,
      micro: [score.f1, score.f1_upper],
      macro: ["f1", "f1_upper"].map((key) => mean(pairs.map((row) => row[key]))),
      pairs: score.pairs, optimal: score.optimal, certified: score.certified,
    };
  });
}

function showAgreement(files, found, seconds) {
  const back = () => showAgreement(files, found, seconds);
  for (const one of found) one.back = back;
  const rows = agreementRows(found);
  const [micro, macro] = ["micro", "macro"].map((name) => [0, 1].map((end) => mean(rows.map((row) => row[name][end]))));
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  clearResult();
  byId("text").hidden = false;
  byId("text").textContent = `Mean F1 of every two of ${files.length} files: ${between(...micro)} micro, ${between(...macro)} macro\n`
    + `proven: ${whole(sum("optimal"))} of ${plural(sum("pairs"), "pair")} of graphs, ${whole(sum("certified"))} by a checked proof`;
  const said = found.map((one) => one.found.said).join("").trimEnd();
  showSaid({ said: said ? `${said}\n` : "" }, true);
  byId("command").replaceChildren(LEFT_OUT);
  tell(`Done in ${seconds.toFixed(1)} seconds.`);
  byId("saving").append(
    savingButton("Save JSON", () => save("agreement.json", JSON.stringify({
      means: { micro_f1: micro[0], micro_f1_upper: micro[1], macro_f1: macro[0], macro_f1_upper: macro[1] },
      compared: found.map(({ names, score }) => ({ files: names, score })),
    }, null, 2))),
    savingButton("Save CSV", () => save("agreement.csv", agreementCsv(rows))),
    savingButton("Save certificates", () => found.forEach(
      ({ names, found: { files: written } }) => save(`${names.join("-")}.certificates.jsonl`, written[CERTIFICATES]),
    )),
  );
  const means = { names: [], micro, macro, pairs: sum("pairs"), optimal: sum("optimal"), certified: sum("certified") };
  showAgreementTable(rows, means, (k) => { last = found[k]; showScore(); });
}

function agreementCsv(rows) {
  const quoted = (cell) => (/[",\n\r]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
  const lines = rows.map((row) => [...row.names, ...row.micro, ...row.macro, row.pairs, row.optimal, row.certified]);
  const head = ["one", "other", "f1", "f1_upper", "macro_f1", "macro_f1_upper", "pairs", "optimal", "certified"];
  return [head, ...lines].map((line) => `${line.map(quoted).join(",")}\n`).join("");
}

// The table of both; rows have an interval or not

function showAgreementTable(rows, means, open) {
  const intervals = means.interval === undefined ? [] : ["Confidence interval"];
  const heads = ["Files", "F1", ...intervals, "Macro F1", "Pairs", "Proven", "By checked proofs"];
  const line = (head, row) => make("tr", {}, make("th", { scope: "row" }, head), [
    between(...row.micro), ...intervals.map(() => row.interval), between(...row.macro),
    whole(row.pairs), whole(row.optimal), whole(row.certified),
  ].map((cell) => make("td", { class: "number" }, cell)));
  const both = (k) => make("button", { type: "button", class: "link", onclick: () => open(k) },
    label(rows[k].names[0]), " and ", label(rows[k].names[1]));
  byId("table").append(
    make("h3", {}, "Every two files"),
    make("div", { class: "scroll", role: "region", "aria-label": "Every two files", tabindex: "0" },
      make("table", { id: "agreement" },
        make("thead", {}, make("tr", {}, heads.map((head, k) => make("th", { scope: "col", class: k > 0 && "number" }, head)))),
        make("tbody", {}, rows.map((row, k) => line(both(k), row)), line("Mean", means)))),
  );
}
