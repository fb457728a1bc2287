/* Lets people scroll wide code and tables with the keyboard, and adds a search field and sorting to long tables. Without
   JavaScript, the tables stay as they are. */
const focusable = () => {
  for (const each of document.querySelectorAll(".md-typeset pre > code, .md-typeset__scrollwrap")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  }
};
for (const event of ["load", "resize"]) window.addEventListener(event, () => setTimeout(focusable, 100));
document.addEventListener("DOMContentLoaded", () => {
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = parseFloat(text);
    return /^[\d.]/.test(text) && !Number.isNaN(number) ? number : text === "-" ? -1 : text;
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
  document.querySelectorAll(".md-content table:not([class])").forEach((table, index) => {
    const body = table.tBodies[0];
    if (!body || !table.tHead) return;
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
    table.dataset.labels = "";
    for (const row of body.rows) {
      [...row.cells].forEach((cell, column) => column && heads.length > 2 && cell.textContent && (cell.dataset.label = heads[column]));
    }
    if (body.rows.length < 12) return;
    const field = Object.assign(document.createElement("input"), { type: "search", className: "table-search", placeholder: "Filter this table", id: `table-search-${index}` });
    field.setAttribute("aria-label", "Filter this table");
    (table.closest(".md-typeset__scrollwrap") || table).before(field);
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of body.rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    });
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "table-sort", title: "Sort by this column" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const direction = head.ariaSort === "ascending" ? "descending" : "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.ariaSort = direction;
        const sign = direction === "ascending" ? 1 : -1;
        body.append(...[...body.rows].sort((a, b) => sign * compare(value(a, column), value(b, column))));
      });
    });
  });
});
