// Differences, options and triples in words

const KIND_WORDS = {
  root: "root", node: "node", concept: "concept", attribute: "attribute", relation: "relation",
};

const STANDING_WORDS = {
  certain: "certain: it differs under every best mapping",
  arbitrary: "arbitrary: under another mapping that is as good, it would not differ, or elsewhere",
  unknown: "in this mapping; others may be as good",
};

const annotators = (positions) => positions.map((k) => isolated(batch.annotators[k])).join(", ");

/* A node with its concept as it is decided, or else as those have it who have the node. */
function called(item, state, name) {
  const decided = state.result.triples.find(([kind, node]) => kind === "concept" && node === name);
  const said = decided ? [decided] : item.triples.filter(([kind, node]) => kind === "concept" && node === name);
  const concepts = said.map(([, , concept]) => isolated(concept, 60));
  return concepts.length ? `${isolated(name)} / ${concepts.join(" or ")}` : isolated(name);
}

function questionWords(item, state, one) {
  const [first, last] = [one.about[0], one.about[one.about.length - 1]].map((name) => name && called(item, state, name));
  switch (one.kind) {
    case "root": return "Which node is the root?";
    case "node": return `Is there a node ${first}?`;
    case "concept": return `What is the concept of ${isolated(one.about[0])}?`;
    case "attribute": return `What is :${isolated(roleOf(one))} of ${first}?`;
    default: return one.about.length > 1 ? `How are ${first} and ${last} related?` : `How is ${first} related to itself?`;
  }
}

function optionWords(item, state, one, option) {
  if (one.kind === "node") return `yes${hanging(item, state, one)}`;
  return option.triples.map((number) => tripleWords(item, state, one, item.triples[number])).join("; ");
}

function tripleWords(item, state, one, [kind, name, role, target]) {
  switch (kind) {
    case "root": return called(item, state, name);
    case "concept": return isolated(role, 200);
    case "attribute": return one.kind === "attribute" ? isolated(target, 200) : `${isolated(name)} :${role} ${isolated(target, 200)}`;
    default: return `${isolated(name)} :${isolated(role)} ${isolated(target)}`;
  }
}

/* What goes with a node: the triples that all have who have it. */
function hanging(item, state, one) {
  const [name] = one.about;
  const found = item.settled.map((number) => item.triples[number])
    .filter((triple) => triple[0] !== "concept" && aboutOf(triple).includes(name))
    .map((triple) => tripleWords(item, state, one, triple));
  return found.length ? `, with ${found.join(", ")}` : "";
}

function choiceWords(item, state, one, choice) {
  if (choice === NEITHER) return one.kind === "node" ? "no" : "neither: no such thing";
  if (typeof choice === "number") return optionWords(item, state, one, one.options[choice]);
  return `new: ${isolated(choice.new)}`;
}

function newWords(one) {
  switch (one.kind) {
    case "root": return "another node, by its name";
    case "concept": return "another concept";
    case "attribute": return "another value";
    default: return `another role, from ${isolated(one.about[0])} to ${isolated(one.about[one.about.length - 1])}`;
  }
}
