// Getting a pair: from the page, or from a file beside it, read when the first of its pairs is opened

const chunks = new Map(); // by number: the pairs, and what is to be done once they are there

/* Called by the files, with the number of the first pair in it. */
function exactmatchPairs(first, pairs) {
  chunkOf(Math.floor(first / page.chunks)).found(pairs);
}

function chunkOf(number) {
  if (!chunks.has(number)) {
    const chunk = {};
    chunk.pairs = new Promise((found, failed) => Object.assign(chunk, { found, failed }));
    chunks.set(number, chunk);
  }
  return chunks.get(number);
}

async function pairOf(k) {
  if (page.chunks === null) return JSON.parse(byId("pair-" + k).textContent);
  const number = Math.floor(k / page.chunks);
  if (!chunks.has(number)) {
    const name = "pairs/" + String(number).padStart(4, "0") + ".js";
    const failed = () => {
      chunkOf(number).failed(new Error(`${name} cannot be read: keep the folder together.`));
      chunks.delete(number);
    };
    chunkOf(number);
    document.body.append(make("script", { src: name, onerror: failed }));
  }
  const pair = (await chunkOf(number).pairs)[k - number * page.chunks];
  if (!isOf(page.rows[k], pair)) {
    throw new Error("The pairs beside this page are of another run: have the folder written anew.");
  }
  return pair;
}

function isOf(row, pair) {
  const { matched, upper } = pair?.score ?? {};
  return pair?.id === row.id && matched === row.matched && upper === row.upper;
}
