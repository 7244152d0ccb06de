// Counting: the definition, from the triples alone. `partner` is a mapping: by system variable, the
// gold variable or null. exactmatch/scoring/recount.py and exactmatch/report/views/marks.py do the same.

const CONCEPTS = ["instance", "label", "concept"];

function spelled(label, variables) {
  return label + ":" + variables.join(",");
}

/* The images of a triple's variables under a mapping; null if one has none. */
function image(triple, partner) {
  const images = triple.slice(1).map((variable) => partner[variable]);
  return images.includes(null) ? null : images;
}

/* The targets of the gold graph: the number of each, and its triples. */
function targetsOf(pair) {
  const own = pair.gold.triples.map((triple, number) => [number, ...triple.slice(1)]);
  const found = new Map();
  for (const [number, ...variables] of pair.gold.targets ?? own) {
    const key = spelled(pair.gold.triples[number][0], variables);
    const target = found.get(key) ?? { times: 0, triples: [] };
    target.times += 1;
    if (!target.triples.includes(number)) target.triples.push(number);
    found.set(key, target);
  }
  return found;
}

function countEqual(keys, targets, duplicates) {
  const times = new Map();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  let count = 0;
  for (const [key, own] of times) {
    const wanted = targets.get(key)?.times ?? 0;
    if (duplicates === "set") count += Math.min(1, wanted);
    else count += duplicates === "multiset" ? Math.min(own, wanted) : own * wanted;
  }
  return count;
}

/* The matches of a mapping, in units of 1 / pair.scale. */
function score(pair, partner) {
  const targets = targetsOf(pair);
  const images = [];
  for (const triple of pair.system.triples) {
    const variables = image(triple, partner);
    if (variables !== null) images.push([triple[0], variables]);
  }
  const keys = images.map(([label, variables]) => spelled(label, variables));
  let matched = pair.scale * countEqual(keys, targets, pair.duplicates);
  const byLabel = new Map(images.map(([label]) => [label, []]));
  for (const [label, variables] of images) byLabel.get(label).push(variables);
  for (const [one, other, credit] of pair.similar) {
    const others = (byLabel.get(one) ?? []).map((variables) => spelled(other, variables));
    matched += credit * countEqual(others, targets, pair.duplicates);
  }
  return matched;
}

/* The mark of each triple, and the gold triple of each system triple (`partner`). */
function marks(pair, partner) {
  const found = {
    system: pair.system.triples.map(() => "extra"),
    gold: pair.gold.triples.map(() => "missing"),
    partner: pair.system.triples.map(() => null),
    back: pair.gold.triples.map(() => null),
  };
  const images = pair.system.triples.map((triple) => image(triple, partner));
  const targets = targetsOf(pair);
  markEqual(pair, found, images, targets);
  markSimilar(pair, found, images, targets);
  markOthers(pair, found, images);
  return found;
}

/* The marks that a pair has with it, since it cannot be counted again. */
function toldMarks({ fixed, gold }) {
  const back = gold.triples.map(() => null);
  fixed.partner.forEach((other, number) => { if (other !== null) back[other] = number; });
  return { ...fixed, back };
}

/* The matched and all triples of each system variable, by the marks. */
function countsOfVariables(pair, found) {
  if (pair.fixed) return pair.fixed.counts;
  const counts = pair.system.variables.map(() => [0, 0]);
  pair.system.triples.forEach(([, ...variables], number) => {
    const isMatch = found.system[number] === "matched" || found.system[number] === "partly";
    for (const variable of new Set(variables)) {
      counts[variable][0] += isMatch ? 1 : 0;
      counts[variable][1] += 1;
    }
  });
  return counts;
}

function join(found, mark, number, other) {
  found.system[number] = mark;
  found.gold[other] = mark;
  found.partner[number] = other;
  found.back[other] = number;
}

function markEqual(pair, found, images, targets) {
  const once = pair.duplicates === "multiset"; // a triple matches one of several equal ones
  const left = new Map([...targets].map(([key, target]) => [key, [...target.triples]]));
  images.forEach((variables, number) => {
    const numbers = variables && left.get(spelled(pair.system.triples[number][0], variables));
    if (!numbers || !numbers.length) return;
    join(found, "matched", number, once ? numbers.shift() : numbers[0]);
    if (!once) for (const other of numbers) found.gold[other] = "matched";
  });
}

function markSimilar(pair, found, images, targets) {
  images.forEach((variables, number) => {
    if (variables === null || found.system[number] === "matched") return;
    for (const [one, other, credit] of pair.similar) {
      if (one !== pair.system.triples[number][0] || credit <= 0) continue;
      const numbers = targets.get(spelled(other, variables))?.triples ?? [];
      const free = numbers.find((n) => found.gold[n] === "missing");
      if (free !== undefined) return join(found, "partly", number, free);
    }
  });
}

/* Mark triples with another label on the same variables, those of one name first. Roots always
   correspond, whatever they are. */
function markOthers(pair, found, images) {
  for (const byName of [true, false]) {
    const places = freePlaces(pair, found, byName);
    pair.system.triples.forEach(([label], number) => {
      const isTop = pair.labels[label][0] === "top";
      if (found.system[number] !== "extra" || (images[number] === null && !isTop)) return;
      const here = places.get(place(pair.labels[label], images[number] ?? [], byName));
      if (here?.length) join(found, "other", number, here.shift());
    });
  }
}

/* The gold triples without a partner, by place. */
function freePlaces(pair, found, byName) {
  const places = new Map();
  pair.gold.triples.forEach(([label, ...variables], number) => {
    if (found.gold[number] !== "missing") return;
    const key = place(pair.labels[label], variables, byName);
    if (!places.has(key)) places.set(key, []);
    places.get(key).push(number);
  });
  return places;
}

function place([kind, name], variables, byName) {
  return JSON.stringify([kind, kind === "top" ? [] : variables, byName ? name ?? "" : ""]);
}

/* The mapping of the pair that was proven or found. */
function provenPartner(pair) {
  const partner = pair.system.variables.map(() => null);
  for (const [i, j] of pair.mapping) partner[i] = j;
  return partner;
}
