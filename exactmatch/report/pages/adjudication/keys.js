// Keys, and what is there from the beginning

const KEYS = [
  ["1 – 9", "take this option"], ["0", "neither: no such thing"], ["w", "say something new"],
  ["n", "the next that is undecided"], ["j, k", "the next or the previous difference"],
  ["]", "the next item"], ["[", "the previous item"], ["u", "undo"], ["e", "a note"],
  ["a", "add a node, relation or attribute"], ["f", "finish the item, or open it again"],
  ["s", "save the work to a file"], ["l", "load a work file"], ["?", "these keys"],
];

const ACTIONS = {
  w: () => byId("new")?.focus(),
  n: () => step((item, state) => nextOpen(item, state, current.key)),
  j: () => step((item, state) => beside(item, state, 1)),
  k: () => step((item, state) => beside(item, state, -1)),
  "]": () => openItem(1),
  "[": () => openItem(-1),
  u: undo,
  e: () => byId("note")?.focus(),
  a: () => byId("add").focus(),
  f: finish,
  s: save,
  l: () => byId("file").click(),
  "?": () => { byId("keys").open = !byId("keys").open; byId("keys").querySelector("summary").focus(); },
};

function step(next) {
  const state = stateOf(current.item);
  const key = next(current.item, state);
  if (key === null) return void say(`Nothing is left to decide. ${finishWords(state)}`);
  current.key = key;
  show();
  say(spokenQuestion());
}

function beside(item, state, by) {
  const all = asked(item, state);
  const at = all.findIndex((one) => one.id === current.key);
  return all[(at + by + all.length) % all.length]?.id ?? null;
}

function openItem(by) {
  const at = batch.items.indexOf(current.item) + by;
  if (at < 0 || at >= batch.items.length) return void say("There is no other item in this direction.");
  openNamed(batch.items[at].id);
}

function openNamed(id) {
  current.item = itemByName.get(id);
  current.key = null;
  show();
  say(`Item ${isolated(id)}. ${spokenQuestion()}`);
}

function onKey(event) {
  const isTyping = event.target.closest?.("input, select, textarea");
  if (event.key === "Escape" && isTyping) return void event.target.blur();
  if (event.altKey || event.ctrlKey || event.metaKey || isTyping) return;
  if (/^[0-9]$/.test(event.key)) {
    event.preventDefault();
    const number = Number(event.key);
    choose(number === 0 ? NEITHER : number - 1);
  } else if (Object.hasOwn(ACTIONS, event.key)) {
    event.preventDefault();
    ACTIONS[event.key]();
  }
}

function introduceGuidelines() {
  const { address, text } = batch.guidelines;
  byId("guidelines").hidden = !address && !text;
  if (address) byId("guidelines-text").append(make("a", { href: address, rel: "noreferrer noopener" }, visible(address)));
  else byId("guidelines-text").append(visible2(text));
}

function begin() {
  byId("made").append(...[["Annotators", batch.annotators.join(", ")], ["Batch", batch.digest],
    ["Format", batch.format === "UMR" ? "UMR: sentence graphs alone" : batch.format],
    ["Mappings", batch.signature], ["exactmatch", batch.version]]
    .flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, visible(value))]));
  byId("key-list").append(...KEYS.flatMap(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)]));
  introduceGuidelines();
  recall();
  byId("who").addEventListener("change", (event) => { work.who = event.target.value.trim(); keep(); show(); });
  byId("who").addEventListener("keydown", (event) => { if (event.key === "Enter") { event.target.blur(); byId("main").focus({ preventScroll: true }); } });
  byId("items").addEventListener("change", (event) => openNamed(event.target.value));
  byId("file").addEventListener("change", async (event) => {
    for (const file of event.target.files) await load(file);
    event.target.value = "";
  });
  byId("adding").addEventListener("submit", (event) => {
    event.preventDefault();
    add(byId("add").value.trim());
    if (byId("alarm").hidden) byId("add").value = "";
  });
  for (const [id, action] of Object.entries({
    undo, save, finish, load: ACTIONS.l, next: ACTIONS.n, previous: ACTIONS["["], following: ACTIONS["]"],
  })) byId(id).addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  const open = batch.items.find((item) => !isDone(stateOf(item)));
  if (open !== undefined) current.item = open;
  show();
  say(spokenQuestion());
}

begin();
