"use strict";

// Sorts tables by their columns, and copies the sentence for a paper. Buttons are made here, so that
// there are none that do nothing where scripts are not run.

/** What a cell is sorted by: a number, words, or null for what is not there. */
function valueOf(cell, isNumber) {
  const text = cell.textContent;
  if (text === "-") return null;
  if (isNumber && text.startsWith("< ")) return 0; // the least p-values are not told apart
  return isNumber ? Number.parseFloat(text) : text;
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

/** Sort the rows; those of equal values keep their order, and those without a value come last. */
function sortRows(table, place, isNumber, sign) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[place], isNumber) }));
  rows.sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    return sign * compare(a.value, b.value);
  });
  body.append(...rows.map(({ row }) => row));
}

function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    if (head.tagName === "TD") return; // above names that have no title
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortRows(table, place, head.classList.contains("number"), down ? -1 : 1);
    });
  });
}

/** Copy the words of an element; select them where the browser does not allow to copy. */
async function copyFrom(place, status) {
  try {
    await navigator.clipboard.writeText(place.textContent);
    status.textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(place);
    status.textContent = "Selected: copy it with Ctrl+C.";
  }
}

function makeCopied(place) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy the sentence";
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  button.addEventListener("click", () => copyFrom(place, status));
  const line = document.createElement("p");
  line.className = "copying small";
  line.append(button, " ", status);
  (place.closest("p") ?? place).after(line);
}

for (const place of document.querySelectorAll("[data-copied]")) makeCopied(place);
for (const table of document.querySelectorAll("table")) {
  if (table.tBodies[0].rows.length > 1) makeSortable(table);
}
