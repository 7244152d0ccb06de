// What may be asked for: made of the declarations of the command line

const { metrics, usual, options } = settings.form;
const metricCalled = (name) => metrics.find((one) => one.name === name);

const USUAL = ""; // the metric that suits the format of the files

function chosenMetric() {
  return metricCalled(byId("metric").value || "smatch");
}

function introduceForm() {
  const suits = Object.entries(usual).map(([form, name]) => `${metricCalled(name).title}: ${form}`).join(", ");
  byId("metric").append(make("option", { value: USUAL, title: suits }, "the usual one"));
  for (const one of metrics) {
    const formats = one.formats.join(", ");
    byId("metric").append(make("option", { value: one.name }, `${one.title} (${formats})`));
  }
  byId("metric").addEventListener("change", showMetric);
  const timeout = options.find((one) => one.name === "timeout");
  byId("timeout").defaultValue = timeout.default;
  byId("timeout").title = timeout.help;
  const most = Math.min(navigator.hardwareConcurrency || 1, 16);
  byId("workers").append(make("option", { value: "auto" }, "as many as the files are worth"));
  for (let k = 1; k <= most; k += 1) byId("workers").append(make("option", { value: k }, String(k)));
  byId("options").querySelector(".fields").append(...options
    .filter((one) => !one.of && one.name !== "timeout").map(field));
  byId("form").addEventListener("submit", (event) => event.preventDefault());
  showMetric();
}

/* Shows the profiles and the choices that a metric has. */
function showMetric() {
  const metric = chosenMetric();
  byId("profile").replaceChildren(...metric.profiles.map((name) => make("option", { value: name }, name)));
  const choices = metric.choices.map((one) => ({ ...one, kind: "choice", isChoice: true }));
  const own = options.filter((one) => metric.takes.includes(one.of));
  byId("choices").hidden = !choices.length && !own.length;
  byId("choices").querySelector(".fields").replaceChildren(...[...choices, ...own].map(field));
}

/* A field, and below it what the option is about. */
function field(one) {
  const id = `option${one.flag}`;
  const said = { id, "data-flag": one.flag, "data-kind": one.kind, "data-name": one.name, "aria-describedby": `${id}-help` };
  const help = make("p", { id: `${id}-help` }, one.help + (one.isChoice ? ` Default: ${one.default}.` : ""));
  const name = one.flag.replace(/^--/, "");
  if (one.kind === "flag") return make("div", {}, make("label", {}, make("input", { ...said, type: "checkbox" }), name), help);
  let input;
  if (one.kind === "choice") {
    const first = one.isChoice ? "as the profile has it" : one.default || "–";
    input = make("select", said, make("option", { value: "" }, first), one.values
      .filter((value) => one.isChoice || value !== one.default)
      .map((value) => make("option", { value }, value)));
  } else {
    const type = one.kind === "file" ? "file" : "text";
    input = make("input", { ...said, type, placeholder: one.default || one.shown, spellcheck: "false", autocomplete: "off" });
  }
  return make("div", {}, make("label", {}, `${name} `, input), help);
}

/* What is asked for: by option, its name and its words in a command, and the files that these name. */
async function askedFor() {
  const asked = [];
  const inputs = [];
  const ask = (name, ...words) => asked.push({ name, words });
  if (byId("metric").value) ask("", "--metric", byId("metric").value);
  if (byId("profile").value !== "default") ask("", "--profile", byId("profile").value);
  const timeout = byId("timeout").value.trim();
  if (timeout && timeout !== byId("timeout").defaultValue) ask("timeout", "--timeout", timeout);
  for (const input of document.querySelectorAll("[data-flag]")) {
    const { flag, kind, name } = input.dataset;
    if (kind === "flag") {
      if (input.checked) ask(name, flag);
    } else if (kind === "file") {
      const file = input.files[0];
      if (!file) continue;
      const path = `${flag.slice(2)}/${plainName(file.name)}`;
      inputs.push({ path, data: await bytesOf(file) });
      ask(name, flag, path);
    } else if (input.value.trim()) ask(name, flag, input.value.trim());
  }
  return { asked, inputs };
}

/* The words of what is asked for, but for some options, by name. */
const wordsOf = (asked, but = () => false) => asked.filter(({ name }) => !name || !but(name)).flatMap(({ words }) => words);

async function bytesOf(file) {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Error(`${isolated(file.name)} cannot be read any more: choose it again.`);
  }
}

/* A name that stands in a path; those that mean a folder stand for no file. */
function plainName(name) {
  const plain = name.replaceAll("/", "_").replaceAll("\0", "_");
  return ["", ".", ".."].includes(plain) ? "graphs" : plain;
}
