import { controlErrors } from "../../../src/core/control/errors.ts";
import type { Route } from "../../../src/core/control/route.ts";

function cellsOf(route: Route): readonly string[] {
  const query = (route.query ?? []).map(({ name }) => `\`${name}\``).join(", ");
  const refused = [...(route.mistake === undefined ? [] : [route.mistake]), ...route.errors];
  return [
    `\`${route.method} ${route.path}\``,
    route.summary + (query === "" ? "" : `; by ${query}`),
    String(route.success.status),
    refused.map((code) => `${controlErrors[code].status} \`${code}\``).join(", "),
  ];
}

/** The routes as a table of Markdown, its columns as wide as the formatter makes them. */
export function routesTable(routes: readonly Route[]): string {
  const rows = [["route", "does", "answers", "refuses with"], ...routes.map(cellsOf)];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...body.map(line)].join("\n");
}
