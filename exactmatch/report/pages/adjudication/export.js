// The graphs of finished items as a file. Python writes the same for the same work
// (exactmatch/many/adjudication/collected_text.py); a test compares.

const SPACE = "(?:[^\\S\\ufeff]|[\\x1c-\\x1f\\x85])"; // of Python, which takes other characters than this language
const NO_SPACE = "(?:[^\\s\\x1c-\\x1f\\x85]|\\ufeff)";
const LINE_END = new RegExp(`${SPACE}*[\\r\\n]${SPACE}*`, "g");
const KEY = new RegExp(`(?<!${NO_SPACE})::+(?=${NO_SPACE})`, "g");
const SPACES = new RegExp(`${SPACE}+`);
const SENTENCE = /^(?:d(\p{Nd}+)\.)?snt(\p{Nd}+)$/u;
const IN_COMMENTS = /^[a-z][\p{L}\p{N}_-]*$/u; // the keys that UMR has in comments; others have lines of their own

const onALine = (text) => text.replace(LINE_END, " ").replace(KEY, ":");
const inAField = (text) => text.replace(/::+/g, ":").split(SPACES).filter((word) => word).join(" ");

function exportGraphs() {
  const done = batch.items.filter((item) => isDone(stateOf(item)));
  const left = plural(batch.items.length - done.length, "item");
  if (!done.length) return void tell(`No item is finished: there is nothing to export.`);
  const isUmr = batch.format === "UMR";
  download(done.map(collectedText).join("\n"), "text/plain", isUmr ? "finished.umr" : "finished.amr");
  tell("");
  say(`Exported: ${whole(done.length)} of ${plural(batch.items.length, "item")}. Left out, not finished: ${left}.`);
}

/* The text of an item that is done. */
function collectedText(item) {
  const { result } = stateOf(item);
  const entries = [...countingOn(item.id).values()].flat();
  const decided = item.differences.length - result.undecided.length - result.moot.size;
  const own = new Map([...(entries.length ? whoAndWhen(entries) : []), ["decided", `${decided} of ${item.differences.length}`]]);
  const graph = textOf(item, result);
  if (batch.format === "UMR") return sentenceText(item, own, graph);
  const metadata = new Map([["id", ""], ...item.metadata, ...own]).set("id", item.id);
  return `${[...metadata].map(([key, value]) => `# ::${key} ${onALine(value)}\n`).join("")}${graph}\n`;
}

function whoAndWhen(entries) {
  const people = [...new Set(entries.map(({ who }) => who))].sort(compareTexts);
  const latest = entries.reduce((last, { when }) => (when > last ? when : last), "");
  return [["adjudicator", people.join(", ")], ["adjudicated", latest]];
}

function sentenceText(item, own, graph) {
  const named = SENTENCE.exec(item.id);
  const number = named?.[2] ?? batch.items.indexOf(item) + 1;
  const said = new Map(item.metadata.filter(([key]) => IN_COMMENTS.test(key)));
  if (named?.[1] || said.has("document")) own.set("document", named?.[1] ?? "1");
  for (const [key, value] of own) said.set(key, value);
  const fields = [...said].map(([key, value]) => `${key} = ${inAField(value)}`).join(" :: ");
  const rows = item.metadata.filter(([key]) => !said.has(key)).map(([key, value]) => `${key}: ${value}`);
  return ["#".repeat(80), `# meta-info :: ${fields}`, `# :: snt${number}`, ...rows, "", "# sentence level graph:", graph, "",
    "# alignment:", "", "# document level annotation:", "", ""].join("\n");
}
