// The graph that decisions make of an item, and its text. Python does the same when finished items are
// collected (exactmatch/many/adjudication/result.py); a test compares.

const NEITHER = "neither";
const FINISHED = "finished";
const ADD = "add ";
const DROP = "drop ";
// Spaces are those of this language and those of Python.
const SYMBOL = /^[^\s\x1c-\x1f\x85()"/:~#]+$/;
const STRING = /^"(?:[^"\\\n]|\\[^\n])*"$/;
const WORD = SYMBOL.source.slice(1, -1);
const ADDED = new RegExp(`^(${WORD}) :(${WORD}) (?:\\((${WORD}) / ([^]+)\\)|([^]+))$`);
const NO_INVERSES = ["consist-of", "prep-on-behalf-of", "prep-out-of"];

const isInverse = (role) => role.endsWith("-of") && !NO_INVERSES.includes(role);

/* Whether it is a role, or the inverse of one; PENMAN notation has `instance` for concepts. */
function canBeRole(text) {
  const role = isInverse(text) ? text.slice(0, -3) : text;
  return SYMBOL.test(role) && role !== "instance" && !isInverse(role);
}

const isConstant = (text) => SYMBOL.test(text) || STRING.test(text);

function aboutOf([kind, ...words]) {
  if (kind === "root") return [];
  return kind === "relation" ? [words[0], words[2]] : [words[0]];
}

/* Choices are a Map: what was chosen, by differences and by what is added or dropped. */
function resultOf(item, choices) {
  const dropped = new Set();
  const open = new Set();
  for (const key of choices.keys()) if (key.startsWith(DROP)) dropped.add(key.slice(DROP.length));
  for (const one of item.differences) {
    if (one.kind !== "node") continue;
    const choice = choices.get(one.id);
    if (choice === undefined) open.add(one.about[0]);
    else if (choice === NEITHER) dropped.add(one.about[0]);
  }
  const found = item.settled.map((number) => item.triples[number]);
  const undecided = [];
  const moot = new Set();
  for (const one of item.differences) {
    const isNode = one.kind === "node";
    if (isNode ? choices.has(DROP + one.about[0]) : one.about.some((name) => dropped.has(name))) moot.add(one.id);
    else if (!choices.has(one.id)) undecided.push(one.id);
    else if (!isNode) found.push(...chosenTriples(item, one, choices.get(one.id)));
  }
  const nodes = item.nodes.filter((name) => !dropped.has(name) && !open.has(name));
  const known = new Set([...item.nodes, ...newNodes(choices)]);
  const added = [];
  for (const key of choices.keys()) {
    if (!key.startsWith(ADD)) continue;
    const [made, triples] = addedBy(key.slice(ADD.length), known);
    nodes.push(...made.filter((name) => !nodes.includes(name) && !dropped.has(name) && !item.nodes.includes(name)));
    found.push(...triples);
    added.push(...triples.map((triple) => [key, triple]));
  }
  const there = new Set(nodes);
  const kept = new Map();
  for (const triple of found) {
    const needed = triple[0] === "root" ? [triple[1]] : aboutOf(triple);
    if (needed.every((name) => there.has(name))) kept.set(JSON.stringify(triple), triple);
  }
  const lost = added.filter(([, triple]) => !kept.has(JSON.stringify(triple))); // to a node that is not there
  return { nodes, triples: [...kept.values()], undecided, moot, lost };
}

function chosenTriples(item, one, choice) {
  if (choice === NEITHER) return [];
  if (typeof choice === "number") return one.options[choice].triples.map((number) => item.triples[number]);
  const said = choice.new;
  if (one.kind === "root") return [["root", said]];
  if (one.kind === "concept") return [["concept", one.about[0], said]];
  if (one.kind === "attribute") return [["attribute", one.about[0], roleOf(one), said]];
  return [turned(one.about[0], said, one.about[one.about.length - 1])];
}

/* The role of an attribute that is asked for: `attribute b quant`. */
const roleOf = (one) => one.id.split(" ").slice(2).join(" ");

function canBeNew(item, one, said) {
  if (one.kind === "root") return item.nodes.includes(said);
  if (one.kind === "relation") return canBeRole(said);
  return (one.kind === "concept" || one.kind === "attribute") && isConstant(said);
}

function newNodes(choices) {
  return [...choices.keys()].filter((key) => key.startsWith(ADD))
    .map((key) => ADDED.exec(key.slice(ADD.length))?.[3]).filter((name) => name);
}

function canBeAdded(said) {
  const found = ADDED.exec(said);
  return found !== null && canBeRole(found[2]) && isConstant(found[4] ?? found[5]);
}

function addedBy(said, known) {
  const [, source, role, made, concept, target] = ADDED.exec(said);
  if (made) return [[made], [["concept", made, concept], turned(source, role, made)]];
  if (known.has(target)) return [[], [turned(source, role, target)]];
  return [[], [["attribute", source, role, target]]];
}

function turned(source, role, target) {
  return isInverse(role)
    ? ["relation", target, role.slice(0, -3), source] : ["relation", source, role, target];
}

/* The number of the first annotator whose graph this is, null if it is nobody's. */
function sameAs(item, result) {
  const ours = new Set(result.triples.map((triple) => JSON.stringify(triple)));
  const nodes = new Set(result.nodes);
  const found = item.graphs.findIndex((graph, number) => {
    if (graph.error !== null) return false;
    const own = item.triples.filter((_, k) => item.by[k].includes(number)).map((triple) => JSON.stringify(triple));
    const held = item.nodes.filter((_, k) => item.holders[k].includes(number));
    return own.length === ours.size && own.every((triple) => ours.has(triple))
      && held.length === nodes.size && held.every((name) => nodes.has(name));
  });
  return found < 0 ? null : found;
}

function textOf(item, result) {
  const same = sameAs(item, result);
  return same === null ? penmanOf(result).join("\n") : item.graphs[same].text;
}

/* The lines in PENMAN notation: a tree for each piece, that of the root first. */
function penmanOf({ nodes, triples }) {
  const concepts = new Map();
  const about = new Map(nodes.map((name) => [name, []]));
  for (const triple of triples) {
    if (triple[0] === "concept") {
      if (!concepts.has(triple[1])) concepts.set(triple[1], triple[2]);
    } else for (const name of new Set(triple[0] === "root" ? [] : aboutOf(triple))) about.get(name).push(triple);
  }
  const opened = new Set();
  const opens = new Map(); // a relation, and the node that opens behind it
  const forward = (start) => {
    opened.add(start);
    for (const triple of about.get(start)) {
      if (triple[0] !== "relation" || triple[1] !== start || opened.has(triple[3])) continue;
      opens.set(triple, triple[3]);
      forward(triple[3]);
    }
  };
  const relations = triples.filter(([kind]) => kind === "relation");
  const grow = (root) => {
    forward(root);
    for (;;) {
      const back = relations.find((triple) => opened.has(triple[3]) && !opened.has(triple[1]));
      if (back === undefined) return;
      opens.set(back, back[1]);
      forward(back[1]);
    }
  };
  const lines = [];
  const opening = (name) => (concepts.has(name) ? `(${name} / ${concepts.get(name)}` : `(${name}`);
  const tree = (name, depth) => {
    const indent = "   ".repeat(depth);
    for (const triple of about.get(name)) {
      const below = opens.get(triple);
      if (below !== undefined && below !== name) {
        lines.push(`${indent}:${triple[2]}${triple[1] === below ? "-of" : ""} ${opening(below)}`);
        tree(below, depth + 1);
      } else if (triple[1] === name && below !== name) lines.push(`${indent}:${triple[2]} ${triple[3]}`);
    }
    lines[lines.length - 1] += ")";
  };
  const roots = triples.filter(([kind]) => kind === "root").map(([, name]) => name);
  for (const name of [...roots, ...nodes]) {
    if (opened.has(name)) continue;
    grow(name);
    lines.push(opening(name));
    tree(name, 1);
  }
  return lines;
}
