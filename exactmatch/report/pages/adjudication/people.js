// The people of several work files: two of one name are told apart, and near names are named.
// Python does the same (exactmatch/many/adjudication/people.py).

const NEAR = [[8, 2], [3, 1]]; // names of so many letters are near each other if so many letters differ
const LONGEST_NAME = 100;

const baseOf = (name) => name.replace(/#\d+$/, "");

/* An entry without the names of people. */
function nameless({ item, difference, when, note, choice, words }) {
  return canonical(note === undefined ? { item, difference, when, choice, words: words ?? "" } : { item, difference, when, note });
}

/* What each person says, by name. */
function saidBy(entries) {
  const found = new Map();
  for (const entry of entries) {
    if (!found.has(entry.who)) found.set(entry.who, new Set());
    found.get(entry.who).add(nameless(entry));
  }
  return found;
}

/* Our entries and others, each once, and whose names changed; ours stay. */
function mergedEntries(ours, others) {
  const names = namesHere(others, ours);
  const known = new Set(ours.map(canonical));
  const fresh = others.map((entry) => withNames(entry, names)).filter((entry) => {
    const isNew = !known.has(canonical(entry));
    known.add(canonical(entry));
    return isNew;
  });
  return { entries: inOrder([...ours, ...fresh]), renamed: [...names].filter(([there, here]) => there !== here) };
}

const areWithin = (some, all) => [...some].every((one) => all.has(one));

/* The names here of the people of other entries. Who has the name of another person gets a number:
   a person's later work holds the earlier one, so neither of two works does if they are two people. */
function namesHere(others, ours) {
  const [said, held] = [saidBy(others), saidBy(ours)];
  const names = new Map();
  for (const [name, theirs] of said) {
    const candidates = [...held.keys()].sort((one, other) => (one !== name) - (other !== name) || (one < other ? -1 : 1));
    const same = candidates.find((one) => baseOf(one) === baseOf(name) && ![...names.values()].includes(one)
      && (areWithin(held.get(one), theirs) || areWithin(theirs, held.get(one))));
    if (same !== undefined) names.set(name, same);
  }
  for (const name of [...said.keys()].filter((one) => !names.has(one))) {
    const left = [...said.keys()].filter((one) => one !== name && !names.has(one));
    names.set(name, freeName(name, new Set([...held.keys(), ...names.values(), ...left])));
  }
  return names;
}

function freeName(name, taken) {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${baseOf(name)}#${number}`;
  return free;
}

/* An entry with other names of people. */
function withNames(entry, names) {
  const called = (who) => names.get(who) ?? who;
  const over = entry.over === undefined ? {} : { over: entry.over.map(([who, when]) => [called(who), when]) };
  return { ...entry, who: called(entry.who), ...over };
}

/* Groups of names that differ in case, blanks or a few letters only. People of one name, of whom all
   but one have numbers, are known to be several. */
function nearPeople(people) {
  const names = [...new Set(people)].sort();
  let groups = [];
  for (const base of [...new Set(names.map(baseOf))].sort()) {
    const near = groups.filter((group) => group.some((other) => areNear(base, other)));
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), base]];
  }
  const several = groups.map((group) => group.sort()).filter((group) => group.length > 1);
  several.sort((one, other) => (one[0] < other[0] ? -1 : 1));
  return several.map((group) => names.filter((name) => group.includes(baseOf(name))));
}

function areNear(name, other) {
  const [one, two] = [lettersOf(name), lettersOf(other)];
  const [shorter, longer] = [Math.min(one.length, two.length), Math.max(one.length, two.length)];
  const most = NEAR.find(([least]) => shorter >= least)?.[1] ?? 0;
  if (longer - shorter > most || longer > LONGEST_NAME) return one.join("") === two.join("");
  return changesOf(one, two) <= most;
}

const lettersOf = (name) => [...name.normalize("NFKC").toLowerCase().replace(/[\s\x1c-\x1f\x85]/g, "")];

/* The least number of letters to add, drop or replace (Levenshtein's distance). */
function changesOf(one, other) {
  const row = [...other.keys(), other.length];
  one.forEach((letter, i) => {
    let before = row[0];
    row[0] = i + 1;
    other.forEach((theirs, k) => {
      const least = Math.min(row[k + 1] + 1, row[k] + 1, before + (letter === theirs ? 0 : 1));
      [before, row[k + 1]] = [row[k + 1], least];
    });
  });
  return row[other.length];
}

/* What is to be said of names that are near each other; nothing if there are none. */
function peopleWords() {
  const people = [...work.entries.map(({ who }) => who), ...(work.who ? [work.who] : [])];
  return nearPeople(people).map((group) =>
    `Names that are near each other: ${group.map(quotedName).join(", ")}; if they are one person, give the entries one name.`).join(" ");
}

const quotedName = (name) => `"${isolated(name)}"`;

function renamedWords(file, renamed) {
  return renamed.map(([there, here]) => (baseOf(there) === there
    ? `${file}: ${quotedName(there)} is another person than the one before, and called ${quotedName(here)}: neither file has all entries of the other.`
    : `${file}: ${quotedName(there)} is called ${quotedName(here)}.`)).join(" ");
}
