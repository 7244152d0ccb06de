/* A worker of the page: Python with exactmatch in it. It does one thing at a time, and is ended to be
   stopped. The page makes it of this text, so that it is under the policy of the page: it may ask
   nobody but whom the page may ask. */

const load = self.fetch.bind(self);
/* What a browser keeps of an older page is asked about anew. */
const OPTIONS = { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-cache" };

async function answerOf(files, name) {
  const { address, integrity } = files[name];
  try {
    return await load(address, { ...OPTIONS, integrity });
  } catch {
    throw new Error(await whyNot(name, address));
  }
}

async function content(files, name) {
  return (await answerOf(files, name)).arrayBuffer();
}

const kept = new Map(); // by address: what the runtime will ask for by itself, once

self.fetch = (wanted, options) => {
  const address = String(wanted.url ?? wanted);
  const answer = kept.get(address);
  kept.delete(address);
  return answer ? Promise.resolve(answer) : load(wanted, options);
};

/* Keeps a file for the runtime, with the type that it needs. */
async function keep(files, name, type) {
  let answer = await answerOf(files, name);
  if (!answer.headers.get("Content-Type")?.startsWith(type)) {
    answer = new Response(await answer.arrayBuffer(), { headers: { "Content-Type": type } });
  }
  kept.set(files[name].address, answer);
}

async function whyNot(name, address) {
  try {
    const { ok, status } = await load(address, OPTIONS);
    if (!ok) return `${name} is not there (${status}): the folder of this page is not whole.`;
  } catch {
    return `${name} cannot be loaded from ${new URL(address).origin}: is its server there?`;
  }
  return `${name} is not what it should be, and was not run: have the folder of this page written anew.`;
}

async function module(files, name) {
  const text = await content(files, name);
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

let python;
let run; // the module exactmatch.cli.web_run
let addPackage; // has Python take a package that the folder of the page has

async function start({ files, packages }) {
  if (typeof WebAssembly !== "object") throw new Error("This browser has no WebAssembly, or it is switched off; Python runs in it.");
  const [runtime, code, lock, sources] = await Promise.all([
    module(files, "pyodide.mjs"), module(files, "pyodide.asm.mjs"), content(files, "pyodide-lock.json"),
    content(files, "exactmatch.zip"), keep(files, "python_stdlib.zip", "application/zip"),
    keep(files, "pyodide.asm.wasm", "application/wasm"),
  ]);
  python = await runtime.loadPyodide({
    indexURL: new URL(".", files["pyodide.asm.wasm"].address).href,
    createPyodideModule: code.default,
    lockFileContents: new TextDecoder().decode(lock),
    stdLibURL: files["python_stdlib.zip"].address,
    stdout: () => {}, stderr: () => {},
  });
  unpack(sources, "zip");
  addPackage = adding(files, packages);
  run = python.pyimport("exactmatch.cli.web_run");
}

function unpack(archive, format) {
  python.unpackArchive(archive, format, { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
}

function adding(files, packages) {
  const here = new Set();
  const asked = new Set();
  return async (name) => {
    if (!packages[name] || asked.has(name)) throw new Error(`This takes ${name}, which the folder of this page has not.`);
    asked.add(name);
    for (const archive of packages[name].filter((one) => !here.has(one))) {
      unpack(await content(files, archive), archive.endsWith(".zip") ? "zip" : "wheel");
      here.add(archive);
    }
    python.runPython("import importlib; importlib.invalidate_caches()");
  };
}

/* Runs Python; if it lacks a package, once more with that. */
async function having(act) {
  try {
    return act();
  } catch (error) {
    const lacking = error.type === "ModuleNotFoundError" && /No module named '(\w+)/.exec(error.message);
    if (!lacking) throw error;
    await addPackage(lacking[1]);
    return having(act);
  }
}

/* Puts the files of the page where the words of commands name them, in place of former ones. */
function put({ inputs }) {
  python.runPython("import os, shutil; os.chdir('/'); [shutil.rmtree(name, ignore_errors=True) for name in ('/in', '/out')]");
  python.FS.mkdirTree("/in");
  python.FS.mkdirTree("/out");
  python.FS.chdir("/in");
  for (const { path, data } of inputs) {
    if (path.includes("/")) python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, new Uint8Array(data));
  }
}

function share({ words, number, of }) {
  const told = { at: 0 };
  const tell = (done, all) => {
    if (done < all && performance.now() < told.at + 100) return;
    told.at = performance.now();
    postMessage({ progress: [done, all] });
  };
  return having(() => {
    const answers = run.share(words, number, of, tell);
    try {
      return answers.toJs();
    } finally {
      answers.destroy();
    }
  });
}

async function answered({ words, shares, outputs }) {
  const found = JSON.parse(await having(() => run.answered(words, python.toPy(shares))));
  found.files = {};
  for (const path of (outputs ?? []).flatMap(filesAt)) found.files[path] = python.FS.readFile(path, { encoding: "utf8" });
  return found;
}

/* A file, or those of a folder; none if nothing is there. */
function filesAt(path) {
  const { exists, object } = python.FS.analyzePath(path);
  if (!exists || !python.FS.isDir(object.mode)) return exists ? [path] : [];
  return python.FS.readdir(path).filter((name) => !name.startsWith(".")).map((name) => `${path}/${name}`);
}

function write({ path, text }) {
  python.FS.writeFile(path, text);
}

const CALLS = { start, put, share, answered, write };

self.onmessage = async ({ data }) => {
  try {
    postMessage({ result: await CALLS[data.call](data) });
  } catch (error) {
    const lines = String(error?.message ?? error).trim().split("\n");
    postMessage({ failure: lines.at(-1), whole: lines.join("\n") });
  }
};
