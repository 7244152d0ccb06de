// Keys, and what is there from the beginning

const KEYS = [
  ["1 – 9", "take this option"], ["0", "neither: no such thing"], ["w", "say something new"],
  ["n", "the next that is undecided, here or in the next item that is not finished"],
  ["j, k", "the next or the previous difference"],
  ["i", "the next item that is not finished"], ["]", "the next item shown"], ["[", "the previous item shown"],
  ["u", "undo"], ["e", "a note"],
  ["a", "add a node, relation or attribute"], ["f", "finish the item; open a finished item again"],
  ["d", "finish all items in which everything is decided"],
  ["s", "save the work to a file"], ["l", "load a work file"], ["x", "export the graphs of finished items"], ["?", "these keys"],
];

const ACTIONS = {
  w: () => byId("new")?.focus(),
  n: nextUndecided,
  j: () => openBeside(1),
  k: () => openBeside(-1),
  i: openUnfinished,
  "]": () => openItem(1),
  "[": () => openItem(-1),
  u: undo,
  e: () => byId("note")?.focus(),
  a: () => byId("add").focus(),
  f: finish,
  d: finishAll,
  s: save,
  x: exportGraphs,
  l: () => byId("file").click(),
  "?": () => { byId("keys").open = !byId("keys").open; byId("keys").querySelector("summary").focus(); },
};

function openDifference(key) {
  current.key = key;
  show();
  say(spokenQuestion());
}

function nextUndecided() {
  const key = nextOpen(current.item, stateOf(current.item), current.key);
  if (key === null) openUnfinished();
  else openDifference(key);
}

function openBeside(by) {
  const all = asked(current.item, stateOf(current.item));
  const at = all.findIndex((one) => one.id === current.key);
  openDifference(all[(at + by + all.length) % all.length]?.id ?? null);
}

/* The other items, from the one that is open on. */
function followingItems() {
  const at = batch.items.indexOf(current.item);
  return [...batch.items.slice(at + 1), ...batch.items.slice(0, at)];
}

function openUnfinished() {
  const next = followingItems().find((item) => !isDone(stateOf(item)));
  if (next !== undefined) return void openNamed(next.id);
  const state = stateOf(current.item);
  say(isDone(state) ? "All items are finished." : `All other items are finished. ${finishWords(state)}`);
}

function openItem(by) {
  const at = batch.items.indexOf(current.item);
  const there = by > 0 ? batch.items.slice(at + 1) : batch.items.slice(0, at).reverse();
  const next = there.find(isShown);
  if (next === undefined) return void say("There is no other item in this direction.");
  openNamed(next.id);
}

function openFiltered(filter) {
  current.filter = filter;
  const next = [current.item, ...followingItems()].find(isShown);
  if (next === undefined) {
    show();
    say("There is no such item.");
  } else openNamed(next.id);
}

function openNamed(id) {
  current.item = itemByName.get(id);
  current.key = null;
  show();
  say(`Item ${isolated(id)}: ${itemWords(current.item)}. ${spokenQuestion()}`);
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
  byId("filter").addEventListener("change", (event) => openFiltered(event.target.value));
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
    export: exportGraphs, unfinished: openUnfinished, "finish-all": finishAll,
  })) byId(id).addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  const open = batch.items.find((item) => !isDone(stateOf(item)));
  if (open !== undefined) current.item = open;
  show();
  say(spokenQuestion());
}

begin();
