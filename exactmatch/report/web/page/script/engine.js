// Workers with Python in them, and the runs of commands that they share

const settings = JSON.parse(byId("settings").textContent);

/* What workers load, by name: whole addresses, since a worker has none of its own. */
const FILES = Object.fromEntries(Object.entries(settings.loaded).map(
  ([name, [path, integrity]]) => [name, { address: new URL(path, document.baseURI).href, integrity }],
));

/* A worker, which does one thing at a time. It is made of text, so that the policy of this page holds
   for it too: a worker that has an address would be under that of its server, which may have none. */
class Helper {
  constructor(source) {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.worker = new Worker(address, { type: "module" });
    URL.revokeObjectURL(address);
    this.progress = [0, 0];
    this.waiting = null;
    this.worker.onmessage = ({ data }) => this.told(data);
    this.worker.onerror = (event) => this.told({ failure: event.message || "the worker could not be started" });
  }

  told(data) {
    if (data.progress) {
      this.progress = data.progress;
      return this.watch?.();
    }
    const { done, failed } = this.waiting ?? {};
    this.waiting = null;
    if (data.failure === undefined) return done?.(data.result);
    console.warn(data.whole ?? data.failure);
    failed?.(new Error(data.failure));
  }

  call(name, given = {}) {
    return new Promise((done, failed) => {
      if (this.isOver) return void failed(new Cancelled());
      this.waiting = { done, failed };
      this.worker.postMessage({ call: name, ...given });
    });
  }

  end() {
    this.isOver = true;
    this.worker.terminate();
    this.waiting?.failed(new Cancelled());
  }
}

class Cancelled extends Error {}

let workerSource = null; // once somebody asks for a worker
let helpers = []; // each with the promise that it is ready
const others = new Set(); // workers without Python, which end with these

async function textOf(name) {
  const answer = await fetch(name, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${name} is not there (${answer.status}): keep the folder of this page together.`);
  return answer.text();
}

function newHelper() {
  workerSource ??= textOf("worker.js");
  const entry = {};
  entry.ready = workerSource.then((source) => {
    if (entry.isOver) throw new Cancelled();
    entry.helper = new Helper(source);
    return entry.helper.call("start", { files: FILES, packages: settings.packages });
  }).then(() => entry.helper);
  entry.ready.catch(() => {}); // told to whoever waits for it
  return entry;
}

/* Has so many workers started; what has failed before is tried again. */
function prepare(number) {
  while (helpers.length < number) helpers.push(newHelper());
}

let isCancelled = false; // what goes on, even where no worker is at work on it

function stopIfCancelled() {
  if (isCancelled) throw new Cancelled();
}

async function readyHelpers(number) {
  stopIfCancelled();
  prepare(number);
  try {
    return await Promise.all(helpers.slice(0, number).map((entry) => entry.ready));
  } catch (error) {
    endHelpers();
    throw error;
  }
}

function endHelpers() {
  for (const entry of helpers) {
    entry.isOver = true;
    entry.helper?.end();
  }
  for (const one of others) one.end();
  helpers = [];
}

/* Runs a command whose pairs several workers share: words without what is said of the format. What it
   returns can be asked for the same result in any format, and for what other commands make of the files. */
async function runShared({ inputs, words, outputs, number }, watch) {
  const chosen = await readyHelpers(number);
  for (const one of chosen) {
    one.holds = null;
    one.progress = [0, 0];
    one.watch = () => watch(chosen.map((each) => each.progress));
  }
  await Promise.all(chosen.map((one) => one.call("put", { inputs })));
  const shares = await Promise.all(chosen.map((one, k) => one.call("share", { words, number: k, of: number })));
  const run = {};
  chosen[0].holds = run;
  run.first = async () => {
    const [first] = await readyHelpers(1);
    if (first.holds !== run) await first.call("put", { inputs });
    first.holds = run;
    return first;
  };
  run.answer = async (format) => (await run.first()).call(
    "answered", { words: [...words, "--format", format], shares, outputs },
  );
  return run;
}
