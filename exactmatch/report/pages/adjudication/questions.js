// What is asked, and what was decided

function differenceOf(item, id) {
  return item.differences.find((one) => one.id === id) ?? null;
}

/* The differences that are still asked, in order: not those that fall away with a node. */
function asked(item, state) {
  return item.differences.filter((one) => !state.result.moot.has(one.id));
}

const isOpen = (state, one) => state.result.undecided.includes(one.id) || state.conflicts.has(one.id);

/* The next difference that is undecided, after the one that is open; null if there is none. */
function nextOpen(item, state, from) {
  const all = item.differences;
  const at = all.findIndex((one) => one.id === from);
  const turned = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  return turned.find((one) => !state.result.moot.has(one.id) && isOpen(state, one))?.id ?? null;
}

function decide(key, choice, words, spoken = words) {
  const { item } = current;
  const state = stateOf(item);
  if (!mayDecide(state, key)) return;
  if (state.finished) record(item, FINISHED, { choice: null, words: "open again, to settle a conflict" });
  record(item, key, { choice, words: words.replace(/[\u2068\u2069]/g, "") });
  const after = stateOf(item);
  const next = nextOpen(item, after, current.key);
  const wasOpen = state.result.undecided.includes(key) || state.conflicts.has(key);
  if (wasOpen && next !== null) current.key = next;
  show();
  const done = next === null ? `Nothing is left to decide here. ${finishWords(after)}` : spokenQuestion();
  say(`${spoken}. ${done}`);
}

function mayDecide(state = null, key = null) {
  if (!work.who) {
    say("Say first who you are.");
    tell("Say first who you are: decisions bear a name.");
    byId("who").focus();
    return false;
  }
  if (state.finished && !state.conflicts.has(key)) {
    say("This item is finished. Open it again first, with f.");
    tell("This item is finished: open it again to change it (f).");
    return false;
  }
  return true;
}

function choose(choice) {
  const one = differenceOf(current.item, current.key);
  if (one === null || (typeof choice === "number" && choice >= one.options.length)) return;
  const state = stateOf(current.item);
  if (state.result.moot.has(one.id)) return;
  const words = choiceWords(current.item, state, one, choice);
  decide(one.id, choice, words, `${one.id}: ${words}`);
}

function chooseNew(said) {
  const one = differenceOf(current.item, current.key);
  if (!canBeNew(current.item, one, said)) {
    const what = one.kind === "root" ? "a node of this item" : one.kind === "relation" ? "a role" : "a concept or constant in PENMAN";
    tell(`${isolated(said, 60)} is not ${what}.`);
    return;
  }
  tell("");
  choose({ new: said });
}

function add(said) {
  const state = stateOf(current.item);
  if (!canBeAdded(said)) {
    tell(`${isolated(said, 60)} is not like x :ROLE y, x :ROLE value or x :ROLE (y / concept).`);
    return;
  }
  const [, source, , made] = ADDED.exec(said);
  const names = new Set([...current.item.nodes, ...newNodes(state.choices)]);
  if (!names.has(source)) tell(`There is no node ${isolated(source, 60)}.`);
  else if (made && names.has(made)) tell(`There is a node ${isolated(made, 60)} already.`);
  else if (made && besideWith(current.item, made)) {
    const { id } = besideWith(current.item, made);
    tell(`${isolated(id)} has a node ${isolated(made, 60)} already: in a document of UMR, each node has a name of its own.`);
  } else {
    tell("");
    decide(ADD + said, true, `added: ${isolated(said)}`);
  }
}

/* Another sentence of the same document of UMR, with a node of this name. */
function besideWith(item, name) {
  const documentOf = ({ id }) => /^d\p{Nd}+(?=\.)/u.exec(id)?.[0];
  return batch.format !== "UMR" ? undefined : batch.items.find((one) => one !== item
    && documentOf(one) === documentOf(item) && [...one.nodes, ...newNodes(stateOf(one).choices)].includes(name));
}

function note(said) {
  if (!mayNote()) return;
  record(current.item, current.key ?? FINISHED, { note: said });
  show();
  say("Noted.");
}

function mayNote() {
  if (work.who) return true;
  tell("Say first who you are: notes bear a name.");
  byId("who").focus();
  return false;
}

function finish() {
  const { item } = current;
  const state = stateOf(item);
  if (!work.who) return void mayDecide();
  if (!state.finished) {
    const why = hindrances(state);
    if (why.length) {
      tell(`This item cannot be finished: ${why.join("; ")}.`);
      return void say(`Not finished: ${why.join("; ")}.`);
    }
  }
  tell("");
  record(item, FINISHED, { choice: state.finished ? null : true, words: state.finished ? "open again" : "finished" });
  show();
  say(`${state.finished ? "Open again." : "Finished."} ${finishWords(stateOf(item))}`);
}

function finishAll() {
  if (!work.who) return void mayDecide();
  const number = finishDecided();
  tell("");
  show();
  say(`${number ? `Finished: ${plural(number, "item")}.` : "No item could be finished that is not."} ${progressWords()}.`);
}

/* What stands of an item, and which keys change it. */
function finishWords(state) {
  const why = hindrances(state);
  if (state.finished && why.length) return `It was finished, but is not to be collected: ${why.join("; ")}.`;
  if (state.finished) return "The item is finished: f opens it again, i goes to the next that is not finished.";
  return why.length ? `It cannot be finished yet: ${why.join("; ")}.` : "The item can be finished: f finishes it.";
}

function undo() {
  tell("");
  const [entry, ...others] = undoLast();
  if (entry === undefined) return void say("There is nothing to undo.");
  current.item = itemByName.get(entry.item);
  current.key = differenceOf(current.item, entry.difference)?.id ?? current.key;
  show();
  const words = `${entry.words ?? "a note"}${others.length ? `, of ${plural(others.length + 1, "item")}` : ""}`;
  say(`Undone: ${words}. ${spokenQuestion()}`);
}

function spokenQuestion() {
  const one = differenceOf(current.item, current.key);
  const state = stateOf(current.item);
  if (one === null) return `Nothing differs here. ${finishWords(state)}`;
  const options = one.options.map((option, k) =>
    `${k + 1}: ${optionWords(current.item, state, one, option)}, ${annotators(option.by)}`);
  return [questionWords(current.item, state, one), ...options, `0: ${choiceWords(current.item, state, one, NEITHER)}`].join(" ");
}
