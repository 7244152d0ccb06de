// What was decided: entries, each by somebody at some time, of which none is ever taken out but by undo.
// Python reads the same files (exactmatch/many/adjudication/work.py).

const WORK_SCHEMA = 1;
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999); // later ones are written in another way
const ENTRY_KEYS = ["item", "difference", "who", "when"];

/* saved: when the work was last saved to a file, and what it was then; null if it never was. */
const work = { who: "", entries: [], saved: null };

const itemByName = new Map(batch.items.map((item) => [item.id, item]));
const differencesOf = new Map(batch.items.map((item) => [item.id, new Map(item.differences.map((one) => [one.id, one]))]));

/* As Python's json.dumps(..., sort_keys=True) would order it: the same for the same content. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/* The order of texts in Python: that of their characters, where this language goes by halves of them. */
function compareTexts(one, other) {
  const [ours, theirs] = [[...one], [...other]];
  const at = ours.findIndex((character, k) => character !== theirs[k]);
  if (at < 0) return ours.length - theirs.length;
  return at < theirs.length ? ours[at].codePointAt(0) - theirs[at].codePointAt(0) : 1;
}

const byTimeAndPerson = (one, other) => compareTexts(one.when, other.when) || compareTexts(one.who, other.who);

function inOrder(entries) {
  return [...entries].sort((one, other) => byTimeAndPerson(one, other) || compareTexts(canonical(one), canonical(other)));
}

/* The decisions on an item that count, by difference: several where people differ. */
function countingOn(id) {
  const found = new Map();
  const over = new Set();
  for (const entry of inOrder(work.entries.filter((one) => one.item === id && one.note === undefined))) {
    if (!found.has(entry.difference)) found.set(entry.difference, new Map());
    found.get(entry.difference).set(entry.who, entry);
    for (const [who, when] of entry.over ?? []) {
      if (when < entry.when) over.add(canonical([entry.difference, who, when])); // so the last one always counts
    }
  }
  const counting = new Map();
  for (const [difference, byPerson] of found) {
    const left = [...byPerson.values()].filter(({ who, when }) => !over.has(canonical([difference, who, when])));
    counting.set(difference, left.sort(byTimeAndPerson));
  }
  return counting;
}

const states = new Map(); // of items, by identifier, as long as nothing is decided there

function stateOf(item) {
  if (!states.has(item.id)) states.set(item.id, stateAnew(item));
  return states.get(item.id);
}

/* Whether all annotators have a graph of it, and the same one. */
const areAgreed = (item) => !item.differences.length && item.graphs.every((graph) => graph.error === null);

/* What stands: choices, the entries of conflicts, notes, and whether the item is finished. What people differ in
   is no choice. An item on which all agree is finished until somebody decides something there. */
function stateAnew(item) {
  const choices = new Map();
  const conflicts = new Map();
  const decided = countingOn(item.id);
  let finished = areAgreed(item) && !decided.size;
  for (const [difference, counting] of decided) {
    const last = counting[counting.length - 1];
    if (difference === FINISHED) {
      finished = last?.choice === true; // whoever said so
      continue;
    }
    if (new Set(counting.map((entry) => canonical(entry.choice))).size > 1) conflicts.set(difference, counting);
    else if (last && last.choice !== null) choices.set(difference, last.choice);
  }
  const notes = work.entries.filter((entry) => entry.item === item.id && entry.note !== undefined);
  const result = resultOf(item, choices);
  return { choices, conflicts, finished, notes, result, faults: faultsOf(item, result) };
}

const blocking = (state) => state.faults.filter((fault) => !fault.isInherited);

/* What keeps an item from being finished; nothing if it can be. Faults are counted, or in words. */
function waitingFor(state) {
  const number = blocking(state).length;
  return [...toDecide(state), ...(number ? [plural(number, "fault")] : [])];
}

/* Whether somebody has finished it, and nothing that others did since, in another file, hinders that. */
const isDone = (state) => state.finished && !waitingFor(state).length;

function hindrances(state) {
  return [...toDecide(state), ...blocking(state).map(({ kind, reason }) => `${kind}: ${reason}`)];
}

/* The differences that nobody has decided yet; conflicts are counted by themselves. */
const undecidedIn = ({ result, conflicts }) => result.undecided.filter((id) => !conflicts.has(id));

function toDecide(state) {
  const number = undecidedIn(state).length;
  const counts = [[number, "difference to decide", "differences to decide"], [state.conflicts.size, "conflict"]];
  return counts.filter(([number]) => number).map((words) => plural(...words));
}

function record(item, difference, content) {
  enter(item, difference, content, nextTime());
  keep();
}

function enter(item, difference, content, when) {
  const { conflicts } = stateOf(item);
  const others = (conflicts.get(difference) ?? []).filter((entry) => entry.who !== work.who);
  const over = others.length && content.note === undefined ? { over: others.map(({ who, when }) => [who, when]) } : {};
  work.entries.push({ item: item.id, difference, who: work.who, when, ...content, ...over });
  states.delete(item.id);
}

/* Finishes all items in which nothing is left to decide, at one moment, so that one step undoes it. Returns how many. */
function finishDecided() {
  const ready = batch.items.filter((item) => !stateOf(item).finished && !waitingFor(stateOf(item)).length);
  const when = nextTime();
  for (const item of ready) enter(item, FINISHED, { choice: true, words: "finished" }, when);
  if (ready.length) keep();
  return ready.length;
}

/* Now, or a moment after what came last: the order of what one decides is that of its times. */
function nextTime() {
  const last = work.entries.reduce((latest, { when }) => Math.max(latest, Date.parse(when) || 0), 0);
  return new Date(Math.min(Math.max(Date.now(), last + 1), LAST_TIME)).toISOString();
}

/* Takes back what I did last, which may be several entries of one moment; returns these. */
function undoLast() {
  catchUp();
  const last = work.entries.findLast((entry) => entry.who === work.who);
  const isLast = (entry) => entry.who === last?.who && entry.when === last?.when;
  const undone = work.entries.filter(isLast);
  if (!undone.length) return undone;
  work.entries = work.entries.filter((entry) => !isLast(entry));
  for (const { item } of undone) states.delete(item);
  keep();
  return undone;
}

function workText() {
  return JSON.stringify({ schema: WORK_SCHEMA, batch: batch.digest, entries: work.entries }, null, 1) + "\n";
}

/* Adds the entries of a work file; returns how many are new, and whose names changed. Throws an error that says why not. */
function addWork(text, name) {
  let content;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is no work file: ${error.message}`);
  }
  const repeated = repeatedKey(text);
  if (repeated !== null) throw new Error(`${name} is no work file: an object has the key ${cut(repeated, 80)} twice.`);
  if (content?.schema !== WORK_SCHEMA || !Array.isArray(content.entries)) {
    throw new Error(`${name} is no work file of schema ${WORK_SCHEMA}.`);
  }
  if (content.batch !== batch.digest) {
    throw new Error(`${name} is of another batch (${cut(String(content.batch), 12)}), not of this one `
      + `(${batch.digest.slice(0, 12)}): other graphs, or other choices.`);
  }
  const wrong = content.entries.find((entry) => !isEntry(entry));
  if (wrong !== undefined) throw new Error(`${name} has an entry that cannot be one: ${cut(canonical(wrong), 80)}`);
  const { entries, renamed } = mergedEntries(work.entries, content.entries);
  const fresh = entries.length - work.entries.length;
  work.entries = entries;
  states.clear();
  return { fresh, renamed };
}

/* A key that an object of this JSON has twice, of which the browser would take the last; null if there is none. */
function repeatedKey(text) {
  const open = []; // the keys of each object around, null for a list
  let last = null;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:]/g)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const key = JSON.parse(last);
      if (open.at(-1).has(key)) return last;
      open.at(-1).add(key);
    } else last = token;
  }
  return null;
}

function isEntry(entry) {
  if (entry === null || typeof entry !== "object") return false;
  if (ENTRY_KEYS.some((key) => typeof entry[key] !== "string") || !itemByName.has(entry.item)) return false;
  if (!isTime(entry.when)) return false;
  if (entry.note !== undefined) return typeof entry.note === "string";
  const { difference, choice, over, words } = entry;
  const areWords = words === undefined || typeof words === "string";
  const isOver = over === undefined || (Array.isArray(over) && over.every(isDecision));
  return areWords && isOver && isPossible(itemByName.get(entry.item), difference, choice);
}

const isDecision = (one) => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string");

/* Times as `nextTime` writes them, whose order is that of the texts. */
function isTime(when) {
  const time = Date.parse(when);
  return when.length === 24 && !Number.isNaN(time) && new Date(time).toISOString() === when;
}

function isPossible(item, difference, choice) {
  if (difference === FINISHED || difference.startsWith(ADD) || difference.startsWith(DROP)) {
    const isKnown = difference.startsWith(ADD) ? canBeAdded(difference.slice(ADD.length)) : difference !== DROP;
    return isKnown && (choice === null || choice === true);
  }
  const one = differencesOf.get(item.id).get(difference);
  if (one === undefined) return false;
  if (typeof choice === "number") return Number.isInteger(choice) && choice >= 0 && choice < one.options.length;
  if (choice !== null && typeof choice === "object") {
    return Object.keys(choice).length === 1 && typeof choice.new === "string" && canBeNew(item, one, choice.new);
  }
  return choice === null || choice === NEITHER;
}
