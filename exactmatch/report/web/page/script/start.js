// The files that are chosen, and what is going on

let chosen = []; // objects with a name and what they hold
let isBusy = false;

function tell(said, isAlarm = false) {
  byId("state").classList.toggle("alarm", isAlarm);
  byId("state").textContent = said;
}

/* Does something that takes the workers, while nothing else does. */
async function alone(act) {
  if (isBusy) throw new Error("Something else is going on: wait until it is done.");
  isCancelled = false;
  setBusy(true);
  try {
    return await act();
  } finally {
    setBusy(false);
  }
}

function cancel() {
  isCancelled = true;
  endHelpers();
  tell("Cancelled.");
}

function setBusy(is) {
  isBusy = is;
  byId("cancel").hidden = !is;
  showStart();
}

function showStart() {
  byId("start").disabled = isBusy || chosen.length < 2;
  byId("start").textContent = chosen.length > 2 ? "Measure agreement" : "Score";
}

function choose(files) {
  chosen = files;
  byId("chosen").hidden = !files.length;
  byId("chosen").replaceChildren(...files.map((file, k) => {
    const role = files.length === 2 ? ["system: ", "gold standard: "][k] : "";
    const away = make("button", { type: "button", onclick: () => choose(chosen.filter((_, other) => other !== k)) }, "Remove");
    away.setAttribute("aria-label", `Remove ${visible(file.name)}`);
    return make("li", {}, role, label(file.name), ` (${sizeInWords(file.size)})`, away);
  }));
  if (files.length === 2) {
    byId("chosen").lastChild.append(make("button", { type: "button", onclick: () => choose([...chosen].reverse()) }, "Swap both"));
  }
  if (files.length) prepare(1);
  showStart();
  if (files.length < 2) tell(files.length ? "One file: choose another one as well." : "No files yet.");
  else tell("Ready.");
}

function sizeInWords(bytes) {
  if (bytes < 1000) return plural(bytes, "byte");
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/* Adds files to the one that is there; two and more are replaced. */
function add(files) {
  if (files.length) choose(chosen.length === 1 ? [...chosen, ...files] : files);
}

const BYTES_A_WORKER = 200_000; // below, starting another one takes longer than it saves

function workersFor(files) {
  const wanted = byId("workers").value;
  if (wanted !== "auto") return Number(wanted);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return Math.max(1, Math.min(navigator.hardwareConcurrency || 1, 8, Math.ceil(size / BYTES_A_WORKER)));
}

function onStart() {
  const files = chosen;
  return work(() => (files.length > 2 ? measureAgreement : scoreTwo)(files, workersFor(files), showProgress));
}

/* Does what ends with a result, and shows how far it is. */
async function work(act) {
  byId("pair").hidden = true;
  byId("result").hidden = true;
  const isFirst = !helpers.length || !helpers[0].helper;
  tell(isFirst ? "Python is being loaded …" : "Starting …");
  byId("progress").hidden = false;
  byId("progress").removeAttribute("value");
  try {
    await alone(act);
    byId("result").focus({ preventScroll: true });
  } catch (error) {
    tell(error instanceof Cancelled ? "Cancelled." : error.message, !(error instanceof Cancelled));
  } finally {
    byId("progress").hidden = true;
  }
}

function showProgress(all, doing = "", what = "pair") {
  const done = all.reduce((sum, one) => sum + one[0], 0);
  const total = all.reduce((sum, one) => sum + one[1], 0);
  tell(`${doing}${whole(done)} of ${plural(total, what)} …`);
  byId("progress").max = Math.max(total, 1);
  byId("progress").value = done;
}

function onDrop(event) {
  event.preventDefault();
  byId("drop").classList.remove("over");
  add([...event.dataTransfer.files]);
}

function introducePlaces() {
  byId("files").addEventListener("change", () => { add([...byId("files").files]); byId("files").value = ""; });
  for (const name of ["dragover", "dragenter"]) {
    document.addEventListener(name, (event) => { event.preventDefault(); byId("drop").classList.add("over"); });
  }
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) byId("drop").classList.remove("over"); });
  document.addEventListener("drop", onDrop);
  byId("paste-take").addEventListener("click", () => {
    choose(["system", "gold"].map((side) => new File([byId(`paste-${side}`).value], side)));
  });
  settings.examples.forEach((one, k) => byId("examples").append(make("option", { value: k }, one.title)));
  byId("examples").addEventListener("change", () => {
    const example = settings.examples[byId("examples").value];
    if (example) choose(example.files.map(({ name, text }) => new File([text], name)));
  });
}

function begin() {
  introduceForm();
  introducePlaces();
  byId("start").addEventListener("click", onStart);
  byId("cancel").addEventListener("click", cancel);
  byId("pair-close").addEventListener("click", closePair);
  const trouble = troubleWith();
  byId("trouble").hidden = !trouble;
  byId("trouble").textContent = trouble;
}

function troubleWith() {
  if (location.protocol === "file:") {
    return "This page has to come from a server: exactmatch web serves it, or python -m http.server in its folder.";
  }
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, or it is switched off. Python needs it: nothing can be scored here.";
  return typeof Worker === "function" ? "" : "This browser has no workers: nothing can be scored here.";
}

begin();
