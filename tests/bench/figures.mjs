// How every benchmark here tells what it found: a JSON line for each figure as it comes, and a table of all at the end.

const told = [];

/** `more` says under which conditions, such as `{ services: 1000 }`. */
export function figure(name, value, unit, more = {}) {
  const rounded = typeof value === "number" ? Number(value.toPrecision(4)) : value;
  const line = { figure: name, value: rounded, unit, ...more };
  told.push(line);
  console.log(JSON.stringify(line));
}

/** Ratios first, as they alone mean something on another machine. */
export function table() {
  const rows = [...told.filter(({ unit }) => unit === "x"), ...told.filter(({ unit }) => unit !== "x")].map(
    ({ figure: name, value, unit, ...more }) => [
      name,
      `${value}`,
      unit,
      Object.entries(more)
        .map(([key, one]) => `${key} ${one}`)
        .join(", "),
    ],
  );
  const width = (column) => Math.max(...rows.map((row) => row[column].length));
  const widths = [width(0), width(1), width(2)];
  console.log();
  for (const [name, value, unit, more] of rows)
    console.log(`${name.padEnd(widths[0])}  ${value.padStart(widths[1])} ${unit.padEnd(widths[2])}  ${more}`.trimEnd());
}
