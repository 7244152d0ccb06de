// Three or more files: every two are scored, and the means over these

const LEFT_OUT = "Confidence intervals, what people disagree on, and plots take numpy and matplotlib, which this page "
  + "does not load: exactmatch iaa has them.";

/* Scores every two files, by position or, where their identifiers are not the same, by identifier. */
async function measureAgreement(files, number, watch) {
  if (!chosenMetric().proves) throw new Error("Agreement takes a metric that maps variables.");
  const started = performance.now();
  const isFree = !byId("option--pair-by").value;
  let found = await scoredEach(files, number, watch, []);
  if (isFree && found.some((one) => !one.isThere)) found = await scoredEach(files, number, watch, ["--pair-by", "id"]);
  last = null;
  const failed = found.find((one) => !one.isThere);
  if (failed) {
    last = failed;
    return showScore();
  }
  for (const one of found) one.score = JSON.parse((await one.answer("json")).printed);
  showAgreement(files, found, (performance.now() - started) / 1000);
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

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

/* A score, or what it lies between. */
function between(low, high) {
  return high > low ? `${decimals(low)} – ${decimals(high)}` : decimals(low);
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
  const means = ["micro", "macro"].map((name) => [0, 1].map((end) => mean(rows.map((row) => row[name][end]))));
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  clearResult();
  byId("text").hidden = false;
  byId("text").textContent = `Mean F1 of every two of ${files.length} files: ${between(...means[0])} micro, ${between(...means[1])} macro\n`
    + `proven: ${whole(sum("optimal"))} of ${plural(sum("pairs"), "pair")} of graphs, ${whole(sum("certified"))} by a checked proof`;
  const said = found.map((one) => one.found.said).join("").trimEnd();
  showSaid({ said: said ? `${said}\n` : "" }, true);
  byId("command").replaceChildren(LEFT_OUT);
  tell(`Done in ${seconds.toFixed(1)} seconds.`);
  byId("saving").append(
    savingButton("Save JSON", () => save("agreement.json", JSON.stringify({
      means: { micro_f1: means[0][0], micro_f1_upper: means[0][1], macro_f1: means[1][0], macro_f1_upper: means[1][1] },
      compared: found.map(({ names, score }) => ({ files: names, score })),
    }, null, 2))),
    savingButton("Save CSV", () => save("agreement.csv", agreementCsv(rows))),
    savingButton("Save certificates", () => found.forEach(
      ({ names, found: { files: written } }) => save(`${names.join("-")}.certificates.jsonl`, written[CERTIFICATES]),
    )),
  );
  byId("table").append(make("h3", {}, "Every two files"), make("div", { class: "scroll", role: "region", "aria-label": "Every two files", tabindex: "0" },
    agreementTable(rows, means, found)));
}

function agreementTable(rows, means, found) {
  const heads = ["Files", "F1", "Macro F1", "Pairs", "Proven", "By checked proofs"];
  const line = (head, row) => make("tr", {}, make("th", { scope: "row" }, head), [
    between(...row.micro), between(...row.macro), whole(row.pairs), whole(row.optimal), whole(row.certified),
  ].map((cell) => make("td", { class: "number" }, cell)));
  const open = (k) => make("button", { type: "button", class: "link", onclick: () => { last = found[k]; showScore(); } },
    label(found[k].names[0]), " and ", label(found[k].names[1]));
  const total = (name) => rows.reduce((sum, row) => sum + row[name], 0);
  return make("table", { id: "agreement" },
    make("thead", {}, make("tr", {}, heads.map((head, k) => make("th", { scope: "col", class: k > 0 && "number" }, head)))),
    make("tbody", {}, rows.map((row, k) => line(open(k), row)),
      line("Mean", { micro: means[0], macro: means[1], pairs: total("pairs"), optimal: total("optimal"), certified: total("certified") })));
}

function agreementCsv(rows) {
  const quoted = (cell) => (/[",\n\r]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
  const lines = rows.map((row) => [...row.names, ...row.micro, ...row.macro, row.pairs, row.optimal, row.certified]);
  const head = ["one", "other", "f1", "f1_upper", "macro_f1", "macro_f1_upper", "pairs", "optimal", "certified"];
  return [head, ...lines].map((line) => `${line.map(quoted).join(",")}\n`).join("");
}
