/* Check certificates of best mappings: node checker.js CERTIFICATES PAIRS

   A second opinion beside checker.py, with which it shares no code. docs/certificates.md and the
   head of checker.py define the format, and say why a proof shows a bound; its steps 1 to 5 are the
   numbers below. (Who wrote this knew the code of checker.py, too.) This file trusts nobody, needs
   nothing but JavaScript (a browser, or Node.js), and computes with integers only. Verdicts, exit
   statuses and what is printed are those of checker.py, but for the words behind "malformed:"; and
   of several reasons to refute, it may tell another one.

   In a page: exactmatchChecker.checkAll(certificates, pairs), of texts that are a line each. */
"use strict";

const exactmatchChecker = (() => {
  const VERDICTS = ["verified", "bounded", "refuted", "unproven"];
  const MOST_LEVELS = 993; // of lists and objects within each other
  const MOST_DIGITS = 4300; // of a number
  const MOST_CLASSES = 250_000; // of test variables, times those of gold variables
  const MOST_PAIRS = 1_000; // of the sets of a clique
  const LARGEST_UNIT = 10n ** 9n; // of rows
  const UNPROVEN = "there is no proof that no mapping scores more";

  /* A certificate claims what is not so, or does not prove it; the message says why. */
  class Refused extends Error {}

  function refuse(reason) {
    throw new Refused(reason);
  }

  function malformed(what) {
    refuse("malformed: " + what);
  }

  // * Reading JSON: whole numbers are BigInt, all other numbers the text of them, objects are Map

  const BLANKS = /[ \t\n\r]*/y;
  const NUMBER = /-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)/y;
  const WORD = /true|false|null|NaN|-?Infinity/y;
  const WORDS = { true: true, false: false, null: null };
  const PLAIN = /[^"\\\u0000-\u001f]*/y;
  const ESCAPE = /\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))/y;
  const ESCAPES = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

  /* The value of a JSON text. Of equal keys of an object, the last one counts. */
  function read(text) {
    let at = 0;
    const take = (pattern) => {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      if (found) at = pattern.lastIndex;
      return found;
    };
    const takes = (character) => {
      const is = text[at] === character;
      if (is) at += 1;
      return is;
    };
    const fail = () => malformed(`no JSON at ${at}`);

    function string() {
      let said = "";
      for (;;) {
        said += take(PLAIN)[0];
        if (takes('"')) return said;
        const [, sign, code] = take(ESCAPE) ?? fail();
        said += code ? String.fromCharCode(parseInt(code, 16)) : ESCAPES[sign] ?? sign;
      }
    }

    function list(level) {
      const values = [];
      take(BLANKS);
      if (takes("]")) return values;
      do values.push(value(level)); while (takes(","));
      return takes("]") ? values : fail();
    }

    function object(level) {
      const members = new Map();
      take(BLANKS);
      if (takes("}")) return members;
      do {
        take(BLANKS);
        const key = takes('"') ? string() : fail();
        take(BLANKS);
        if (!takes(":")) fail();
        members.set(key, value(level));
      } while (takes(","));
      return takes("}") ? members : fail();
    }

    function number() {
      const [written, rest] = take(NUMBER) ?? fail();
      if (rest) return written;
      if (written.replace("-", "").length > MOST_DIGITS) malformed("a number of too many digits");
      return BigInt(written);
    }

    function value(level) {
      let found;
      take(BLANKS);
      const opens = text[at] === "[" || text[at] === "{";
      if (opens && level > MOST_LEVELS) malformed("too many levels");
      if (takes('"')) found = string();
      else if (takes("[")) found = list(level + 1);
      else if (takes("{")) found = object(level + 1);
      else {
        const word = take(WORD);
        if (!word) found = number();
        else found = word[0] in WORDS ? WORDS[word[0]] : word[0];
      }
      take(BLANKS);
      return found;
    }

    const found = value(1);
    return at === text.length ? found : fail();
  }

  /* The object of a line, which has an identifier that can be written. */
  function parse(line) {
    const found = read(line);
    const id = field(found, "id");
    if (typeof id !== "string" || /\p{Cs}/u.test(id)) malformed("no identifier");
    return found;
  }

  // * What JSON stands for

  function field(object, name) {
    if (!(object instanceof Map)) malformed("no object");
    return object.has(name) ? object.get(name) : malformed(`no "${name}"`);
  }

  function has(object, name) {
    return object instanceof Map && object.has(name);
  }

  /* A list; a text stands for its characters, an object for its keys. */
  function items(value) {
    if (Array.isArray(value)) return value;
    if (typeof value === "string") return [...value];
    return value instanceof Map ? [...value.keys()] : malformed("no list");
  }

  function several(value, number) {
    const found = items(value);
    return found.length === number ? found : malformed(`not ${number} values`);
  }

  /* A whole number; true and false stand for 1 and 0. */
  function whole(value) {
    if (typeof value === "boolean") return BigInt(value);
    return typeof value === "bigint" ? value : malformed("no whole number");
  }

  /* What is no list and no object, as a key that is equal for what is equal. */
  function name(value) {
    if (typeof value === "string") return JSON.stringify(value);
    return String(value === null ? value : whole(value));
  }

  function names(value) {
    return items(value).map(name);
  }

  /* Any JSON as a text that is equal for what is equal. */
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical)}]`;
    if (!(value instanceof Map)) return name(value);
    return `{${[...value].map(([key, one]) => name(key) + ":" + canonical(one)).sort()}}`;
  }

  /* The key of an object as a whole number in decimal digits, as Python reads it. */
  function numberOf(key) {
    const found = /^[ \t-\r]*([-+]?)([0-9]+(?:_[0-9]+)*)[ \t-\r]*$/.exec(key);
    const digits = found ? found[2].replaceAll("_", "") : malformed("no number");
    if (digits.length > MOST_DIGITS) malformed("a number of too many digits");
    return found[1] === "-" ? -BigInt(digits) : BigInt(digits);
  }

  /* Prices by the names of gold variables. Of several for one, the last counts. */
  function pricesOf(value) {
    if (!(value instanceof Map)) malformed("no object of prices");
    const found = new Map();
    for (const [key, price] of value) found.set(name(numberOf(key)), price);
    return checkedPrices(found);
  }

  function checkedPrices(given) {
    const found = new Map();
    for (const [key, price] of given) found.set(key, whole(price));
    for (const price of found.values()) if (price < 0n) refuse("a price is negative");
    return found;
  }

  // * Whole numbers, and tables of them

  const largest = (a, b) => (a > b ? a : b);
  const smallest = (a, b) => (a < b ? a : b);
  const sum = (values) => [...values].reduce((total, value) => total + value, 0n);

  function quotient(a, b) {
    const rest = a % b;
    return (a - rest) / b - (rest < 0n ? 1n : 0n);
  }

  function add(table, key, amount) {
    table.set(key, (table.get(key) ?? 0n) + amount);
  }

  function raise(table, key, amount) {
    table.set(key, largest(table.get(key) ?? 0n, amount));
  }

  /* The list of a key, made if need be. */
  function listAt(table, key) {
    if (!table.has(key)) table.set(key, []);
    return table.get(key);
  }

  // * The fingerprint of a pair

  function digest(pair) {
    const parts = ["duplicates", "scale", "similar", "test", "gold"].map((key) => field(pair, key));
    return "sha256:" + sha256(written(parts));
  }

  /* JSON as Python writes it: in ASCII, with the keys of objects in the order of their characters. */
  function written(value) {
    if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
    if (typeof value === "string") return quoted(value);
    if (!(value instanceof Map)) return String(value);
    const keys = [...value.keys()].sort(byCharacters);
    return `{${keys.map((key) => quoted(key) + ": " + written(value.get(key))).join(", ")}}`;
  }

  function quoted(text) {
    const short = { "\\": "\\\\", '"': '\\"', "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
    const escape = (unit) => short[unit] ?? "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `"${text.replace(/[^ -~]|[\\"]/g, escape)}"`;
  }

  function byCharacters(one, other) {
    const [left, right] = [[...one], [...other]].map((all) => all.map((each) => each.codePointAt(0)));
    const differ = left.findIndex((code, k) => code !== right[k]);
    if (differ < 0) return left.length - right.length;
    return differ < right.length ? left[differ] - right[differ] : 1;
  }

  /* The first 32 bits of the fractions of the roots of primes, of which SHA-256 (FIPS 180-4) begins. */
  function fractions(count, root) {
    const found = [];
    for (let n = 2n; found.length < count; n += 1n) {
      let isPrime = true;
      for (let d = 2n; d * d <= n; d += 1n) isPrime &&= n % d !== 0n;
      if (!isPrime) continue;
      let [low, high] = [0n, 1n << 40n]; // the root of n, times 2 ** 32, lies from low to below high
      while (high - low > 1n) {
        const middle = (low + high) / 2n;
        if (middle ** root <= n << (32n * root)) low = middle;
        else high = middle;
      }
      found.push(Number(low & 0xffffffffn));
    }
    return found;
  }

  const START = fractions(8, 2n);
  const ROUNDS = fractions(64, 3n);

  /* SHA-256 of a text in ASCII, in hexadecimal digits. */
  function sha256(text) {
    const bytes = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64);
    for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
    bytes[text.length] = 0x80;
    const view = new DataView(bytes.buffer);
    view.setBigUint64(bytes.length - 8, 8n * BigInt(text.length));
    const turned = (x, n) => (x >>> n) | (x << (32 - n));
    const state = [...START];
    const w = new Uint32Array(64);
    for (let block = 0; block < bytes.length; block += 64) {
      for (let t = 0; t < 16; t++) w[t] = view.getUint32(block + 4 * t);
      for (let t = 16; t < 64; t++) {
        const [x, y] = [w[t - 15], w[t - 2]];
        w[t] = w[t - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3))
          + w[t - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let t = 0; t < 64; t++) {
        const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[t] + w[t]) | 0;
        const other = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g; g = f; f = e; e = (d + one) | 0; // in place: lists would be made 64 times a block
        d = c; c = b; b = a; a = (one + other) | 0;
      }
      [a, b, c, d, e, f, g, h].forEach((word, k) => { state[k] = (state[k] + word) | 0; });
    }
    return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  // * Pairs of graphs

  /* How many variables a graph has. */
  function size(graph) {
    return items(field(graph, "variables")).length;
  }

  /* The triples of a graph by label, then by which of their variables are equal: of each its distinct
     variables and how often it occurs, most often first. */
  function grouped(graph) {
    const variables = names(field(graph, "variables"));
    const places = new Map(variables.map((variable, k) => [variable, k]));
    if (places.size < variables.length) malformed("a variable occurs twice");
    const triples = new Map();
    for (const one of items(field(graph, "triples"))) {
      const [said, about] = several(one, 2);
      const label = names(said).join();
      const own = names(about).map((variable) => places.get(variable) ?? malformed("a variable of no graph"));
      const key = `${label} ${own}`;
      if (!triples.has(key)) triples.set(key, { label, own, times: 0n });
      triples.get(key).times += 1n;
    }
    const groups = new Map();
    for (const { label, own, times } of triples.values()) {
      if (!own.length) continue;
      if (!groups.has(label)) groups.set(label, new Map());
      const distinct = [...new Set(own)];
      const pattern = own.map((variable) => distinct.indexOf(variable)).join();
      listAt(groups.get(label), pattern).push({ variables: distinct, times });
    }
    for (const patterns of groups.values()) {
      for (const found of patterns.values()) found.sort((a, b) => Number(b.times - a.times));
    }
    return groups;
  }

  /* The kinds of a pair: test and gold triples of which any two may match, and for what worth. Each
     entry of "similar" counts for itself, also if it lists labels again. */
  function kindsOf(pair) {
    const [test, gold] = [grouped(field(pair, "test")), grouped(field(pair, "gold"))];
    const scale = field(pair, "scale");
    const listed = items(field(pair, "similar")).map((entry) => {
      const [own, other, worth] = several(entry, 3);
      return [names(own).join(), names(other).join(), worth];
    });
    const kinds = [];
    for (const [own, other, worth] of [...[...test.keys()].map((label) => [label, label, scale]), ...listed]) {
      for (const [pattern, tests] of test.get(own) ?? []) {
        const golds = gold.get(other)?.get(pattern);
        if (golds) kinds.push({ worth, tests, golds });
      }
    }
    return kinds;
  }

  /* What two multiplicities count together. */
  function creditOf(pair) {
    const credits = { set: () => 1n, multiset: smallest, product: (a, b) => a * b };
    const said = field(pair, "duplicates");
    const isKnown = typeof said === "string" && Object.hasOwn(credits, said);
    return isKnown ? credits[said] : malformed("other duplicates");
  }

  /* What tells whether a mapping may hold a pair of positions, which keys may forbid. */
  function linksOf(pair) {
    const sides = ["test", "gold"].map((side) => field(pair, side));
    if (!sides.some((graph) => has(graph, "keys"))) return () => true;
    const [test, gold] = sides.map((graph) => {
      const keys = items(field(graph, "keys")).map((each) => new Set(names(each)));
      return keys.length === size(graph) ? keys : malformed("keys of other variables");
    });
    return (i, j) => [...test[i]].some((key) => gold[j].has(key));
  }

  // * Terms

  /* A pair of a test and a gold variable, of which both are whole numbers, by name. */
  function pairNamed(i, j) {
    return `${i}-${j}`;
  }

  function byNumber(a, b) {
    return a < b ? -1 : Number(a > b);
  }

  function byPairs(one, other) {
    for (let k = 0; k < Math.min(one.length, other.length); k++) {
      const order = byNumber(one[k].i, other[k].i) || byNumber(one[k].j, other[k].j);
      if (order) return order;
    }
    return one.length - other.length;
  }

  /* The terms of sets of pairs and their weights, in order, with what leaves ask of them. */
  function numbered(weights) {
    return [...weights.values()]
      .sort((one, other) => byPairs(one.pairs, other.pairs))
      .map(({ pairs, weight }) => ({
        weight,
        pairs,
        members: pairs.map(({ i, j }) => {
          const rest = pairs.filter((other) => other.i !== i);
          return {
            i: String(i),
            j: String(j),
            pair: pairNamed(i, j),
            row: rest.map((other) => other.i).join(),
            column: rest.map((other) => other.j).sort(byNumber).join(),
          };
        }),
      }));
  }

  function termsOf(pair) {
    const [credit, isAllowed] = [creditOf(pair), linksOf(pair)];
    const weights = new Map();
    for (const { worth, tests, golds } of kindsOf(pair)) {
      for (const one of tests) {
        for (const other of golds) {
          const pairs = one.variables.map((i, k) => ({ i, j: other.variables[k] }));
          if (!pairs.every(({ i, j }) => isAllowed(i, j))) continue;
          pairs.sort((a, b) => a.i - b.i);
          addWeight(weights, pairs, whole(worth) * credit(one.times, other.times));
        }
      }
    }
    return numbered(weights);
  }

  function addWeight(weights, pairs, weight) {
    const key = pairs.map(({ i, j }) => pairNamed(i, j)).join();
    if (!weights.has(key)) weights.set(key, { pairs, weight: 0n });
    weights.get(key).weight += weight;
  }

  /* What a mapping scores, counted from the triples. */
  function scoreOf(pair, mapping) {
    const credit = creditOf(pair);
    let total = 0n;
    for (const { worth, tests, golds } of kindsOf(pair)) {
      const times = new Map(golds.map((other) => [other.variables.join(), other.times]));
      for (const one of tests) {
        const images = one.variables.map((i) => mapping[i]);
        const found = images.includes(null) ? undefined : times.get(images.join());
        if (found) total += whole(worth) * credit(one.times, found);
      }
    }
    return total;
  }

  // * Leaves: steps 1 to 3

  /* The bound of a leaf for all mappings without banned pairs, and of each pair for those with it. */
  function judged(terms, leaf, banned) {
    const scale = whole(field(leaf, "denominator"));
    const prices = has(leaf, "prices") ? pricesOf(leaf.get("prices")) : new Map();
    const local = localPrices(has(leaf, "local") ? leaf.get("local") : []);
    if (scale < 1n) refuse("a price is negative");
    const pairs = new Map(); // by name: both variables, and the worth
    const at = ({ pair, i, j }) => {
      if (!pairs.has(pair)) pairs.set(pair, { i, j, worth: 0n });
      return pairs.get(pair);
    };
    const rows = new Map(); // of each pair: the most that a term of each row hands to it
    terms.forEach(({ weight, members }, number) => {
      if (members.some(({ pair }) => banned.has(pair))) return;
      const shares = sharesOf(leaf, number) ?? equalShares(scale * weight, members.length);
      if (sum(shares) < scale * weight) refuse("the shares of a term are below its weight");
      if (shares.length !== members.length) malformed("a term of other shares");
      members.forEach((member, k) => {
        const own = at(member);
        if (!member.row) {
          own.worth += shares[k];
          return;
        }
        if (!rows.has(member.pair)) rows.set(member.pair, new Map());
        const price = local.get(`${member.pair}/${member.column}`)?.price ?? 0n;
        raise(rows.get(member.pair), member.row, shares[k] - price);
      });
    });
    for (const [pair, found] of rows) pairs.get(pair).worth += sum(found.values());
    for (const listed of local.values()) at(listed).worth += listed.price;
    const best = new Map();
    for (const found of pairs.values()) {
      found.gain = found.worth - (prices.get(found.j) ?? 0n);
      raise(best, found.i, found.gain);
    }
    const total = sum(best.values()) + sum(prices.values());
    const withPair = ({ i, gain }) => quotient(total - best.get(i) + gain, scale);
    return { most: quotient(total, scale), pairs, withPair };
  }

  /* Local prices by pair and column, the gold variables of which are in the order that is given. All
     that are listed count, whether any term has such a column or not; of equal ones the last. */
  function localPrices(value) {
    const found = new Map();
    for (const one of items(value)) {
      const [left, right, column, price] = several(one, 4);
      const [i, j] = [name(left), name(right)];
      const pair = pairNamed(i, j);
      found.set(`${pair}/${names(column)}`, { i, j, pair, price });
    }
    for (const listed of found.values()) {
      listed.price = whole(listed.price);
      if (listed.price < 0n) refuse("a price is negative");
    }
    return found;
  }

  /* The shares that a leaf lists for a term; null if it lists none, or what is empty. */
  function sharesOf(leaf, number) {
    if (!has(leaf, "shares")) return null;
    const shares = leaf.get("shares");
    if (!(shares instanceof Map)) malformed("no object of shares");
    const found = shares.get(String(number)) ?? false;
    const isEmpty = found === false || found === 0n || found === "" || found.size === 0 || found.length === 0;
    if (isEmpty) return null;
    return Array.isArray(found) ? found.map(whole) : malformed("no list of shares");
  }

  /* As equal as can be, the first larger. */
  function equalShares(weight, number) {
    const each = quotient(weight, BigInt(number));
    const larger = weight - each * BigInt(number);
    return Array.from({ length: number }, (_, k) => (BigInt(k) < larger ? each + 1n : each));
  }

  // * Nodes

  /* The bound that a node shows for all mappings without banned pairs. */
  function boundOf(terms, node, banned, schema) {
    if (has(node, "denominator")) return judged(terms, node, banned).most;
    if (has(node, "sieve")) {
      const { pairs, withPair } = judged(terms, node.get("sieve"), banned);
      const enough = whole(field(node, "score"));
      const out = new Set(banned);
      for (const [pair, found] of pairs) if (withPair(found) <= enough) out.add(pair);
      return largest(enough, boundOf(terms, field(node, "rest"), out, schema));
    }
    if (has(node, "pair")) {
      const [i, j] = several(node.get("pair"), 2).map(name);
      const rivals = new Set(banned);
      for (const { members } of terms) {
        for (const one of members) if ((one.i === i) !== (one.j === j)) rivals.add(one.pair);
      }
      const held = boundOf(terms, field(node, "with"), rivals, schema);
      const without = new Set(banned).add(pairNamed(i, j));
      return largest(held, boundOf(terms, field(node, "without"), without, schema));
    }
    const cliques = items(field(node, "cliques"));
    if (schema < 2n) refuse("schema 1 has no cliques");
    return boundOfRows(terms, node, cliques, banned, schema);
  }

  function boundOfRows(terms, node, cliques, banned, schema) {
    const unit = whole(field(node, "unit"));
    if (unit < 1n || unit > LARGEST_UNIT) refuse("a unit is not positive, or too large");
    const weights = new Map();
    for (const { pairs, weight } of terms) addWeight(weights, pairs, unit * weight);
    let multipliers = 0n;
    for (const clique of cliques) {
      const [given, listed] = several(clique, 2);
      const multiplier = whole(given);
      if (multiplier < 0n) refuse("a multiplier is negative");
      const sets = cliqueSets(listed);
      for (const pairs of sets) addWeight(weights, pairs, -multiplier);
      multipliers += multiplier;
    }
    const rest = boundOf(numbered(weights), field(node, "rest"), banned, schema);
    return quotient(multipliers + rest, unit);
  }

  /* The sets of a clique, of which no mapping includes two. */
  function cliqueSets(listed) {
    const sets = items(listed).map((set) => items(set).map((pair) => several(pair, 2)));
    if (sets.reduce((pairs, set) => pairs + set.length, 0) > MOST_PAIRS) refuse("a clique has too many pairs");
    const found = sets.map((set) => set.map(([i, j]) => ({ i: position(i), j: position(j) })));
    for (const pairs of found) {
      if (!pairs.length) malformed("a set of no pairs");
      const isSorted = pairs.every(({ i }, k) => k === 0 || pairs[k - 1].i < i);
      if (!isSorted) refuse("the pairs of a set are not sorted");
      const isOneToOne = new Set(pairs.map(({ j }) => j)).size === pairs.length;
      if (!isOneToOne) refuse("the pairs of a set are not one-to-one");
    }
    const areRivals = (p, q) => (p.i === q.i) !== (p.j === q.j);
    found.forEach((one, k) => {
      for (const other of found.slice(0, k)) {
        const exclude = one.some((p) => other.some((q) => areRivals(p, q)));
        if (!exclude) refuse("a mapping may include two sets of a clique");
      }
    });
    return found;
  }

  /* A position: a number of JavaScript while that is exact, which it is for all of a graph. */
  function position(value) {
    const found = whole(value);
    if (found < 0n) refuse("the pairs of a set are not sorted");
    return found <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(found) : found;
  }

  // * Counts: steps 4 and 5

  function countsOf(pair, advice) {
    const credit = creditOf(pair);
    const kinds = kindsOf(pair).map(({ worth, tests, golds }) => ({ worth: largest(0n, whole(worth)), tests, golds }));
    const most = (one, other) => sum(one.slice(0, other.length).map((times, k) => credit(times, other[k])));
    const times = (triples) => triples.map((triple) => triple.times);
    const bound = sum(kinds.map(({ worth, tests, golds }) => worth * most(times(tests), times(golds))));
    if (!(advice instanceof Map)) malformed("no object of advice");
    const given = advice.get("prices") ?? null;
    if (given === null) return bound;
    const prices = pricesOf(given);
    const isGold = new Set(Array.from({ length: size(field(pair, "gold")) }, (_, j) => String(j)));
    for (const j of prices.keys()) if (!isGold.has(j)) refuse("a price of no variable");
    const widths = kinds.map(({ tests }) => BigInt(tests[0].variables.length));
    const scale = widths.reduce(leastMultiple, 1n);
    const parts = kinds.map(({ worth }, k) => (worth * scale) / widths[k]);
    const [lefts, rights] = [classes(kinds.map(({ tests }) => tests)), classes(kinds.map(({ golds }) => golds))];
    if (lefts.length * rights.length > MOST_CLASSES) refuse("prices for too many classes of variables");
    const cheapest = rights.map(({ star, variables }) =>
      ({ star, price: variables.map((j) => prices.get(String(j)) ?? 0n).reduce(smallest) }));
    let total = sum(prices.values());
    for (const { star, variables } of lefts) {
      let best = 0n;
      for (const other of cheapest) {
        let gain = -other.price;
        for (const [place, { kind, amounts }] of star) {
          const theirs = other.star.get(place);
          if (theirs) gain += parts[kind] * most(amounts, theirs.amounts);
        }
        best = largest(best, gain);
      }
      total += BigInt(variables.length) * best;
    }
    return smallest(bound, quotient(total, scale));
  }

  function leastMultiple(a, b) {
    let [x, y] = [a, b];
    while (y) [x, y] = [y, x % y];
    return (a / x) * b;
  }

  /* Variables that are alike: those in as many triples of each kind, in each place, as often. */
  function classes(groups) {
    const stars = new Map();
    groups.forEach((triples, kind) => {
      for (const { variables, times } of triples) {
        variables.forEach((variable, place) => {
          if (!stars.has(variable)) stars.set(variable, new Map());
          const star = stars.get(variable);
          const key = `${kind}.${place}`;
          if (!star.has(key)) star.set(key, { kind, amounts: [] });
          star.get(key).amounts.push(times);
        });
      }
    });
    const found = new Map();
    for (const [variable, star] of stars) {
      const key = [...star].map(([place, { amounts }]) => `${place}:${amounts}`).sort().join(" ");
      if (!found.has(key)) found.set(key, { star, variables: [] });
      found.get(key).variables.push(variable);
    }
    return [...found.values()];
  }

  // * Verdicts

  /* The verdict on a certificate of a pair, and why; throws what refutes it. */
  function check(pair, certificate) {
    const isSame = (key) => has(certificate, key) && canonical(certificate.get(key)) === canonical(field(pair, key));
    const schema = whole(field(certificate, "schema"));
    const isKnown = isSame("id") && isSame("profile") && field(certificate, "digest") === digest(pair)
      && (schema === 1n || schema === 2n);
    if (!isKnown) refuse("it is about another pair, or of another schema");
    const mapping = mappingOf(pair, items(field(certificate, "mapping")));
    const [value, upper] = ["value", "upper"].map((key) => whole(field(certificate, key)));
    const found = scoreOf(pair, mapping);
    if (found !== value || value > upper) refuse(`the mapping scores ${found}, not ${value} up to ${upper}`);
    const proof = field(certificate, "proof");
    if (proof === "none") return { verdict: "unproven", why: UNPROVEN };
    const proven = has(proof, "counts")
      ? countsOf(pair, proof.get("counts"))
      : boundOf(termsOf(pair), proof, new Set(), schema);
    if (proven > upper) refuse(`the proof shows a bound of ${proven}, not ${upper}`);
    if (value === upper) return { verdict: "verified", why: "no mapping scores more" };
    return { verdict: "bounded", why: `the best mapping scores between ${value} and ${upper}: gap ${upper - value}` };
  }

  /* The positions of the partners of test variables, null for those without. */
  function mappingOf(pair, given) {
    const [m, n] = [size(field(pair, "test")), size(field(pair, "gold"))];
    const isOther = () => refuse("the mapping is of other variables");
    const partner = given.map((j) => {
      if (j === null) return null;
      const found = whole(j);
      return found >= 0n && found < BigInt(n) ? Number(found) : isOther();
    });
    if (partner.length !== m) isOther();
    const taken = partner.filter((j) => j !== null);
    if (new Set(taken).size < taken.length) refuse("the mapping is not one-to-one");
    const isAllowed = linksOf(pair);
    partner.forEach((j, i) => {
      if (j !== null && !isAllowed(i, j)) refuse("the mapping holds a pair without a key in common");
    });
    return partner;
  }

  /* Whatever goes wrong refutes: no mistake here can make a certificate pass. */
  function refuted(id, error) {
    const why = error instanceof Refused ? error.message : `malformed: ${error}`;
    return { id, verdict: "refuted", why };
  }

  /* The verdict on the next certificate of a pair, taken from a queue; on none if there is no more. */
  function checkNext(pair, queue) {
    const id = pair.get("id");
    if (!queue.length) return { id, verdict: "unproven", why: UNPROVEN };
    try {
      return { id, ...check(pair, queue.shift()) };
    } catch (error) {
      return refuted(id, error);
    }
  }

  /* The verdicts on lines of certificates: those that are none, then of each pair, then those without
     a pair. Of one id, the k-th is for the k-th pair. Throws if a line is no pair. */
  function checkAll(certificates, pairs) {
    const waiting = new Map();
    const found = [];
    certificates.forEach((line, k) => {
      try {
        const certificate = parse(line);
        listAt(waiting, certificate.get("id")).push(certificate);
      } catch (error) {
        found.push(refuted(`certificate ${k + 1}`, error));
      }
    });
    for (const pair of pairs.map(parse)) found.push(checkNext(pair, waiting.get(pair.get("id")) ?? []));
    for (const [id, left] of waiting) {
      for (const _ of left) found.push({ id, verdict: "refuted", why: "there is no such pair, or it had one" });
    }
    return found;
  }

  return { VERDICTS, parse, checkAll };
})();

// * As a program of Node.js

function runExactmatchChecker(words) {
  const { VERDICTS, checkAll } = exactmatchChecker;

  /* The lines of bytes; one that is no UTF-8 is null, which is no JSON either. */
  function lines(bytes) {
    const found = [];
    let start = 0;
    for (let k = 0; k <= bytes.length; k++) {
      if (k < bytes.length && bytes[k] !== 10 && bytes[k] !== 13) continue;
      if (k < bytes.length || start < k) found.push(decoded(bytes.subarray(start, k)));
      if (bytes[k] === 13 && bytes[k + 1] === 10) k += 1;
      start = k + 1;
    }
    return found;
  }

  function decoded(line) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    } catch {
      return "no UTF-8";
    }
  }

  /* A text on one line of ASCII, as Python writes it. */
  function ascii(text) {
    const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
    const short = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
    const escape = (character) => {
      const code = character.codePointAt(0);
      const digits = code < 0x100 ? 2 : code < 0x10000 ? 4 : 8;
      return short[character] ?? "\\" + " xu U"[digits / 2] + code.toString(16).padStart(digits, "0");
    };
    return mark + text.replace(/[^ -~]|\\/gu, escape).replaceAll(mark, "\\" + mark) + mark;
  }

  if (words.length !== 2) {
    console.error("usage: checker.js CERTIFICATES PAIRS");
    return 1;
  }
  let found;
  try {
    const [certificates, pairs] = words.map((path) => lines(require("fs").readFileSync(path)));
    found = checkAll(certificates, pairs);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
  const told = found
    .filter(({ verdict }) => verdict !== "verified")
    .map(({ id, verdict, why }) => `${verdict} ${ascii(id)}: ${ascii(why)}\n`);
  const count = (wanted) => found.filter(({ verdict }) => verdict === wanted).length;
  const counts = VERDICTS.map((verdict) => `${verdict}: ${count(verdict)}`).join("  ");
  process.stdout.write(told.join("") + counts + "\n");
  return count("refuted") ? 4 : 0;
}

if (typeof require === "function" && typeof module === "object" && require.main === module) {
  process.exitCode = runExactmatchChecker(process.argv.slice(2));
}
