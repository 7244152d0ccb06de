// Keeping the work: in this browser, under the batch's digest, and in files

const PLACE = `exactmatch adjudication ${batch.digest}`;

let lastKept = null; // what this window has last seen there

function keep() {
  catchUp();
  const text = JSON.stringify({ who: work.who, entries: work.entries, saved: work.saved });
  try {
    localStorage.setItem(PLACE, text);
    lastKept = text;
    tell("");
  } catch (error) {
    tell(`This browser keeps no more (${error.name}): save the work to a file, or what you do now is lost.`);
  }
}

/* Takes over what another window of this page has kept since; what is new here stays. */
function catchUp() {
  try {
    const text = localStorage.getItem(PLACE);
    if (text === null || text === lastKept) return;
    const { entries, saved } = JSON.parse(text);
    const there = entries.filter(isEntry);
    if (isSaved(saved) && saved.when > (work.saved?.when ?? "")) work.saved = saved;
    const before = new Set([...there, ...(lastKept === null ? [] : JSON.parse(lastKept).entries)].map(canonical));
    work.entries = inOrder([...there, ...work.entries.filter((entry) => !before.has(canonical(entry)))]);
    lastKept = text;
    states.clear();
  } catch { // it cannot be read, which `recall` and `keep` tell
  }
}

function recall() {
  try {
    lastKept = localStorage.getItem(PLACE);
    const kept = JSON.parse(lastKept ?? "null");
    if (kept === null) return;
    work.who = String(kept.who ?? "");
    work.saved = isSaved(kept.saved) ? kept.saved : null;
    work.entries = kept.entries.filter(isEntry);
    states.clear();
    if (work.entries.length < kept.entries.length) tell("Some of what this browser kept cannot be read, and is left out.");
  } catch (error) {
    tell(`What this browser kept cannot be read (${error.message}): load a work file.`);
  }
}

function download(text, type, name) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/* What tells one state of the work from another. */
const stateOfWork = () => [work.entries.length, work.entries.reduce((latest, { when }) => (when > latest ? when : latest), "")];

const isSaved = (saved) => typeof saved?.when === "string" && isTime(saved.when) && Array.isArray(saved.work);

function savedWords() {
  if (work.saved === null) return work.entries.length ? "Not saved to a file yet." : "";
  const when = new Date(work.saved.when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const isChanged = canonical(work.saved.work) !== canonical(stateOfWork());
  return `Saved to a file ${when}${isChanged ? "; changed since" : ""}.`;
}

function save() {
  const who = work.who.replace(/[^\p{L}\p{N}-]+/gu, "-") || "nobody";
  download(workText(), "application/json", `work-${who}.json`);
  work.saved = { when: new Date().toISOString(), work: stateOfWork() };
  keep();
  show();
  say(`Saved: ${plural(work.entries.length, "entry", "entries")}.`);
}

async function load(file) {
  try {
    const name = isolated(file.name);
    const { fresh, renamed } = addWork(await file.text(), name);
    keep();
    show();
    if (renamed.length) tell(renamedWords(name, renamed));
    say(`Loaded: ${plural(fresh, "new entry", "new entries")}.`);
  } catch (error) {
    tell(error.message);
  }
}

/* What is the matter with the work, in sight until it is not. */
function tell(message) {
  const place = byId("alarm");
  place.hidden = !message;
  place.textContent = message;
}

/* What is asked, or was done, for those who hear it. */
function say(message) {
  byId("said").textContent = message;
}
