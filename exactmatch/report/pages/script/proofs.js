// Proofs: checker.js checks the certificates of the page in this browser

const SLICE = 30; // milliseconds of checking after which the page may do something else

const proofFindings = new Map(); // the finding on each certificate, by the number of its pair

/* The finding on the certificate of a pair: a verdict, and its reason. A certificate is refuted by
   the checker, or because it contradicts this page. */
function proofFinding(k, pair) {
  if (!proofFindings.has(k)) {
    let found;
    try {
      found = findOfProof(pair);
    } catch (error) {
      found = { verdict: "refuted", why: error.message };
    }
    proofFindings.set(k, found);
  }
  return proofFindings.get(k);
}

function findOfProof(pair) {
  const { certificate, about, size, looks } = pair.proof;
  if (size !== undefined) {
    const why = `it has ${whole(size)} characters, and up to ${whole(looks)} sets of pairs of variables to look at, `
      + "which takes long; exactmatch verify checks it";
    return { verdict: "left out", why };
  }
  if (certificate === null) return { verdict: "missing", why: `there is none in ${isolated(page.proofs.file)}` };
  const findings = exactmatchChecker.checkAll([certificate], [about]);
  const found = findings.find(isRefuted) ?? findings[0];
  if (isRefuted(found)) return found;
  if (!isListed(pair, exactmatchChecker.parse(about))) {
    return { verdict: "refuted", why: "it is about other triples than those of this page" };
  }
  const claims = exactmatchChecker.parse(certificate);
  const [value, upper] = ["value", "upper"].map((key) => Number(claims.get(key)));
  const { matched, upper: bound } = pair.score;
  if (value > bound || (upper < matched && found.verdict !== "unproven")) {
    const why = `it says ${value} up to ${upper} in units of 1 / ${pair.scale}, this page ${matched} up to ${bound}`;
    return { verdict: "refuted", why };
  }
  const isAll = matched <= value && upper <= bound;
  return { verdict: found.verdict === "verified" && !isAll ? "bounded" : found.verdict, value, upper };
}

const isRefuted = ({ verdict }) => verdict === "refuted";

/* Whether a proof is about all triples of this page, with the same similar labels. In an excerpt, or
   if the pair cannot be counted again, the triples of this page are some of those of the proof; those
   of the gold graph may have their variables in any order. */
function isListed(pair, counted) {
  if (counted.get("id") !== pair.id) return false;
  const proven = { system: triplesOf(counted.get("test")), gold: triplesOf(counted.get("gold")) };
  const system = pair.system.triples.map(([said, ...about]) => [pair.labels[said], named(pair.system, about)]);
  if (pair.fixed) {
    const gold = pair.gold.triples.map(([said, ...about]) => [pair.labels[said], named(pair.gold, about).sort()]);
    const inOrder = proven.gold.map(([said, about]) => [said, [...about].sort()]);
    return areSome(system, proven.system) && areSome(gold, inOrder);
  }
  const targets = pair.gold.targets ?? pair.gold.triples.map(([, ...about], number) => [number, ...about]);
  const gold = targets.map(([number, ...about]) => [pair.labels[pair.gold.triples[number][0]], named(pair.gold, about)]);
  const similar = pair.similar.map(([one, other, credit]) => [pair.labels[one], pair.labels[other], String(credit)]);
  const provenSimilar = counted.get("similar").map(([one, other, credit]) => [one, other, String(credit)]);
  return counted.get("duplicates") === pair.duplicates && counted.get("scale") === BigInt(pair.scale)
    && areSame(system, proven.system, pair) && areSame(gold, proven.gold, pair)
    && areSame(similar, provenSimilar, {});
}

function triplesOf(graph) {
  return graph.get("triples").filter(([, about]) => about.length);
}

function named(graph, about) {
  return about.map((variable) => graph.variables[variable]);
}

function areSome(ours, theirs) {
  const known = new Set(theirs.map((one) => JSON.stringify(one)));
  return ours.every((one) => known.has(JSON.stringify(one)));
}

function areSame(ours, theirs, { duplicates }) {
  const [one, other] = [ours, theirs].map((all) => {
    const found = all.map((each) => JSON.stringify(each));
    return (duplicates === "set" ? [...new Set(found)] : found).sort();
  });
  return one.length === other.length && one.every((each, k) => each === other[k]);
}

/* The statement on the proof of the open pair. */
function proofSentence(pair, { verdict, why, value, upper }) {
  const { scale, part } = pair;
  if (verdict === "refuted") return `The certificate is refuted in this browser: ${visible(why)}.`;
  if (verdict === "unproven") return "Not proven by its certificate, which holds a mapping and no proof.";
  if (value === undefined) {
    return `Not checked in this browser: ${verdict === "missing" ? "no certificate" : "left out"}, ${why}.`;
  }
  const most = verdict === "verified" ? "more" : `more than ${amount(upper, scale)}`;
  const where = part ? "whole graphs, of which an excerpt is shown" : `${page.unit} that this page lists`;
  return `Checked in this browser: a mapping matches ${amount(value, scale)}, and none matches ${most}, of the ${where}.`;
}

function proofLine() {
  return page.proofs ? [make("p", { id: "proof", role: "status", "aria-live": "polite" })] : [];
}

/* Show the verdict on the open pair, once it is drawn. */
function showProof() {
  if (!page.proofs) return;
  const { k, pair } = current;
  setTimeout(() => {
    if (current?.pair !== pair) return;
    const found = proofFinding(k, pair);
    tell(byId("proof"), proofSentence(pair, found), isRefuted(found));
  });
}

function tell(element, said, isAlarm) {
  element.classList.toggle("alarm", isAlarm);
  element.replaceChildren(...[said].flat());
}

// All proofs of the page

/* Check the proofs of a page of one file at once, and those of a folder on request. */
function introduceProofs() {
  if (!page.proofs) return;
  byId("proofs").hidden = false;
  const { file, left } = page.proofs;
  if (left) {
    byId("proofs").append(make("p", { class: "quiet" },
      `${plural(left, "more certificate")} of ${isolated(file)}: of no pair of this page, or unreadable.`));
  }
  if (page.chunks === null) return checkAllProofs();
  const start = make("button", {
    type: "button", id: "check-proofs", onclick: () => { start.remove(); checkAllProofs(); },
  }, "Check all proofs in this browser");
  byId("proofs").append(start);
}

async function checkAllProofs() {
  const said = byId("all-proofs");
  tell(said, "Proofs are being checked in this browser …", false);
  let until = performance.now() + SLICE;
  try {
    for (const k of page.rows.keys()) {
      if (performance.now() > until) {
        await new Promise((done) => { setTimeout(done); });
        until = performance.now() + SLICE;
      }
      proofFinding(k, await pairOf(k));
    }
  } catch (error) {
    return tell(said, error.message, true);
  }
  sumUpProofs(said);
}

const REFUTED_SHOWN = 20;

function sumUpProofs(said) {
  const found = [...page.rows.keys()].map((k) => ({ row: page.rows[k], ...proofFindings.get(k) }));
  const number = (verdict) => found.filter((one) => one.verdict === verdict).length;
  const rest = [
    ["bounded", "bounded, not settled"],
    ["unproven", "without a proof"],
    ["missing", "without a certificate"],
    ["left out", "left out"],
  ].filter(([verdict]) => number(verdict)).map(([verdict, words]) => `; ${words}: ${whole(number(verdict))}`);
  const refuted = found.filter(isRefuted);
  const links = refuted.slice(0, REFUTED_SHOWN).map(({ row }) =>
    [" ", make("a", { href: address(row.id) }, label(row.id))]);
  const alarm = refuted.length
    ? [` Refuted: ${whole(refuted.length)}:`, ...links.flat(), refuted.length > REFUTED_SHOWN ? " …" : "."] : [];
  const checked = `Proofs checked in this browser: ${whole(number("verified"))} of ${whole(found.length)}`;
  tell(said, [`${checked}${rest.join("")}.`, ...alarm], refuted.length > 0);
}
