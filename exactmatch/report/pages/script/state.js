// What is shown now

const page = JSON.parse(byId("page-data").textContent);
const rowOf = new Map(page.rows.map((row, k) => [row.id, k]));
const ROWS_AT_ONCE = 500;

const table = { order: page.rows.map((_, k) => k), sorted: null, descending: false, limit: ROWS_AT_ONCE };
let current = null; // the pair that is open: see `opened`

/* The names of the sides; annotators have names of their own. */
const SIDES = page.sides ?? { system: "system", gold: "gold" };
const SIDE_TITLES = page.sides ?? { system: "System", gold: "Gold" };

const MARKS = {
  matched: { glyph: "", name: "matched" },
  other: { glyph: "≠", name: "other label" },
  partly: { glyph: "≈", name: "similar label" },
  extra: { glyph: "+", name: `only ${SIDES.system}` },
  missing: { glyph: "−", name: `only ${SIDES.gold}` },
};
const DIFFERENCES = ["other", "extra", "missing", "partly"]; // in the order of the rows' figures

const STANDINGS = {
  certain: "certain: in every best mapping",
  several: "in some of the best mappings",
  arbitrary: "arbitrary: mapped, but matches nothing",
  unknown: "in this mapping; others may be as good",
  hand: "by hand",
  none: "not mapped",
};
