// Sorting and filtering of the table of games. Without this the table is simply a table.
(function () {
  "use strict";
  var table = document.querySelector("table.games"), body = table.tBodies[0];
  var rows = Array.prototype.slice.call(body.rows);
  var words = document.getElementById("words"), family = document.getElementById("family");
  var number = document.getElementById("number"), count = document.getElementById("count");

  function filter() {
    var wanted = words.value.trim().toLowerCase().split(/\s+/), shown = 0;
    rows.forEach(function (row) {
      var text = [row.cells[0].textContent, row.dataset.family, row.dataset.tags || ""].join(" ").toLowerCase();
      var fits = wanted.every(function (word) { return text.indexOf(word) >= 0; }) &&
        (!family.value || row.dataset.family === family.value) &&
        (!number.value || row.dataset.players.split(" ").indexOf(number.value) >= 0);
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    count.textContent = shown === rows.length ? "" : shown + " of " + rows.length;
  }

  function value(row, column) {
    var cell = row.cells[column], exact = cell.dataset.value;
    if (cell.className.indexOf("number") < 0) { return exact !== undefined ? exact : cell.textContent.toLowerCase(); }
    return exact !== undefined ? parseFloat(exact) : null;
  }

  function sort(column, heading) {
    var up = heading.getAttribute("aria-sort") !== "ascending";
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell) { cell.removeAttribute("aria-sort"); });
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    rows.slice().sort(function (one, other) {
      var a = value(one, column), b = value(other, column);
      if (a === null || b === null) { return (a === null) - (b === null); } // what is unknown comes last
      return (a < b ? -1 : a > b ? 1 : rows.indexOf(one) - rows.indexOf(other)) * (up || a === b ? 1 : -1);
    }).forEach(function (row) { body.appendChild(row); });
  }

  Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = cell.textContent;
    cell.textContent = "";
    cell.appendChild(button);
    button.addEventListener("click", function () { sort(column, cell); });
  });
  [words, family, number].forEach(function (field) { field.addEventListener("input", filter); });
  document.querySelector(".controls").hidden = false;
}());
