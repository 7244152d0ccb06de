// What is wrong with a graph, in the words of `exactmatch check`, and what would repair it. A fault that
// no graph of the item has by itself, at the same nodes, keeps the item from being finished.

const SHOWN_NODES = 8;
const likeAVariable = new RegExp(`^(?:${batch.rules.variable})$`, "u");
const knownRoles = new RegExp(`^(?:${[...batch.rules.roles, ":TOP", ":instance"].join("|")})$`);

const isRole = (role) => knownRoles.test(`:${role}`);
const isKnownRole = (role) => isRole(role) || (role.endsWith("-of") && isRole(role.slice(0, -3)));

function faultsOf(item, result) {
  const same = sameAs(item, result);
  const found = same === null ? newFaults(item, result)
    : item.graphs[same].faults.map(([kind, reason, nodes, words]) => ({ kind, reason, nodes, words, repairs: [] }));
  for (const [key, triple] of result.undecided.length ? [] : result.lost) {
    const reason = `added to a node that is not there: ${triple.slice(1).join(" ")}`;
    found.push({ kind: "lost", reason, repairs: [{ words: "take it back", key, choice: null }] });
  }
  return found.map((fault) => ({ ...fault, isInherited: same === null ? inherits(item, fault) : fault.kind !== "lost" }));
}

/* Whether a readable graph of the item has this fault by itself, at the same place; a cycle may be a part of its
   cycle. */
function inherits(item, { kind, nodes = [], words = [] }) {
  const isIt = (known) => known[0] === kind && JSON.stringify(known[3]) === JSON.stringify(words)
    && nodes.every((name) => known[2].includes(name));
  return kind !== "unreadable" && item.graphs.some((graph) => graph.error === null && graph.faults.some(isIt));
}

/* What is undecided, and may be told of later, is no fault yet. */
function newFaults(item, result) {
  const { nodes, triples, undecided } = result;
  const found = [];
  const roots = triples.filter(([kind]) => kind === "root");
  if (roots.length !== 1 && !undecided.includes("root")) {
    const reason = roots.length ? `${roots.length} roots` : "no root";
    const repairs = nodes.slice(0, 3).map((name) => ({ words: `make ${name} the root`, key: "root", choice: { new: name } }));
    found.push({ kind: "unreadable", reason, repairs });
  }
  for (const name of nodes) {
    const concepts = triples.filter(([kind, node]) => kind === "concept" && node === name);
    if (!concepts.length && !undecided.includes(`concept ${name}`)) {
      const repairs = [{ words: `decide the concept of ${name}`, ask: `concept ${name}` }, dropping(name)];
      found.push({ kind: "no-concept", reason: `variable ${name} has no concept`, repairs });
    }
    for (const [, , concept] of concepts.slice(1)) {
      const reason = `variable ${name} has another concept, ${concept}`;
      found.push({ kind: "several-concepts", reason, nodes: [name], words: [concept], repairs: [] });
    }
  }
  const names = new Set(nodes);
  for (const [kind, name, role, target] of triples) {
    const written = `${name} :${role} ${target}`;
    const place = { nodes: [name], words: [role, target], repairs: [] };
    if (kind === "attribute" && names.has(target)) {
      found.push({ kind: "unreadable", reason: `${written} is a constant that is called like a variable`, repairs: [] });
    } else if (kind === "attribute" && likeAVariable.test(target)) {
      found.push({ kind: "undeclared", reason: `${written}, but there is no such variable`, ...place });
    }
    if (kind === "attribute" && role.endsWith("-of") && !isRole(role)) {
      found.push({ kind: "inverse-constant", reason: `${written}, and a constant has no roles`, ...place });
    }
    if (kind === "relation" && role === "instance") {
      const reason = `variable ${name} has another concept, ${target}`;
      found.push({ kind: "several-concepts", reason, ...place, words: [target] });
    }
    if (batch.rules.areKnown && (kind === "attribute" || kind === "relation") && !isKnownRole(role)) {
      found.push({ kind: "unknown-role", reason: `:${role} of ${name}`, ...place, words: [role] });
    }
  }
  return [...found, ...pieceFaults(item, result), ...cycleFaults(result)];
}

const dropping = (name) => ({ words: `drop ${name}`, key: DROP + name, choice: true });

function pieceFaults(item, { nodes, triples, undecided }) {
  const names = [...nodes, ...openNodes(item, undecided)];
  const near = neighbours(names, [...triples, ...possible(item, undecided, new Set(names))]);
  const left = new Set(names);
  const known = new Set(nodes);
  const pieces = [];
  while (left.size) pieces.push(reached(left.values().next().value, near, left).filter((name) => known.has(name)));
  const [first, ...others] = pieces.filter((piece) => piece.length).sort((one, other) => other.length - one.length);
  const root = triples.find(([kind]) => kind === "root")?.[1] ?? first?.[0];
  return others.map((piece) => {
    const shown = piece.slice(0, SHOWN_NODES).join(", ");
    const more = piece.length > SHOWN_NODES ? ` and ${piece.length - SHOWN_NODES} more` : "";
    const loose = piece.includes(root) ? first : piece;
    const repairs = [{ words: `attach ${loose[0]} …`, add: `${root} :mod ${loose[0]}` },
      ...loose.slice(0, 3).map(dropping)];
    const reason = `${shown}${more} not connected with the ${first.length} nodes of the largest piece`;
    return { kind: "disconnected", reason, repairs };
  });
}

function openNodes(item, undecided) {
  return item.differences.filter(({ id, kind }) => kind === "node" && undecided.includes(id)).map(({ about }) => about[0]);
}

/* The relations that may still come, between nodes of these names. */
function possible(item, undecided, names) {
  const open = item.differences.filter(({ id, kind }) => kind === "relation" && undecided.includes(id));
  const numbers = [...item.settled, ...open.flatMap(({ options }) => options.flatMap(({ triples }) => triples))];
  return numbers.map((number) => item.triples[number]).filter((triple) => aboutOf(triple).every((name) => names.has(name)));
}

function neighbours(nodes, triples) {
  const near = new Map(nodes.map((name) => [name, []]));
  for (const [kind, source, , target] of triples) {
    if (kind !== "relation") continue;
    near.get(source).push(target);
    near.get(target).push(source);
  }
  return near;
}

/* What can be reached from a node, which is taken out of what is left. */
function reached(start, near, left) {
  const found = [];
  const pending = [start];
  left.delete(start);
  while (pending.length) {
    const name = pending.pop();
    found.push(name);
    for (const other of near.get(name)) if (left.delete(other)) pending.push(other);
  }
  return found;
}

function cycleFaults({ nodes, triples }) {
  const after = new Map(nodes.map((name) => [name, new Set()]));
  for (const [kind, source, role, target] of triples) {
    if (kind === "relation" && !batch.rules.leadingBack.includes(role)) after.get(source).add(target);
  }
  const below = new Map(nodes.map((name) => [name, behind(name, after)]));
  const told = new Set();
  const found = [];
  for (const name of nodes) {
    if (told.has(name) || !below.get(name).has(name)) continue;
    const knot = nodes.filter((other) => below.get(name).has(other) && below.get(other).has(name));
    for (const other of knot) told.add(other);
    const shown = knot.slice(0, SHOWN_NODES).join(", ");
    const more = knot.length > SHOWN_NODES ? ` and ${knot.length - SHOWN_NODES} more` : "";
    const reason = knot.length > 1 ? `among ${shown}${more}` : `${name} leads to itself`;
    found.push({ kind: "cycle", reason, nodes: knot, repairs: [] });
  }
  return found;
}

function behind(start, after) {
  const found = new Set();
  const pending = [...after.get(start)];
  while (pending.length) {
    const name = pending.pop();
    if (found.has(name)) continue;
    found.add(name);
    pending.push(...after.get(name));
  }
  return found;
}
