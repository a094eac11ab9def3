import type { VNode } from "preact";
import { operatorNames, operators } from "../../../core/store/operators.ts";
import type { ColumnEntry } from "../api/setup.ts";
import { columnClass } from "./cell.ts";
import { filterOf, nextSort, type TableQuery, withFilter } from "./query.ts";
import { keyPath } from "./row.ts";
import type { GridContent } from "./use-grid.ts";

interface GridHeadProps extends Pick<GridContent, "table" | "rows" | "picked" | "onPick"> {
  readonly query: TableQuery;
  readonly onQuery: (part: Partial<TableQuery>) => void;
  readonly canPick: boolean;
}

/** The names of the columns, each with its order and its filter. */
export function GridHead(props: GridHeadProps): VNode {
  const { table, rows, picked, onPick, canPick } = props;
  const keyed = rows.rows.flatMap((row) => {
    const key = keyPath(table, row);
    return key === undefined ? [] : [[key, row] as const];
  });
  const isAll = picked.size > 0 && picked.size >= keyed.length;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {canPick && (
          <th class="pick" scope="col">
            <input
              type="checkbox"
              aria-label={`Pick the ${keyed.length} rows around here`}
              title={`The ${keyed.length} rows that are read`}
              checked={isAll}
              onChange={() => onPick(new Map(isAll ? [] : keyed))}
            />
          </th>
        )}
        {table.columns.map((column) => (
          <ColumnHead key={column.name} {...props} column={column} />
        ))}
      </tr>
    </thead>
  );
}

const signs = operatorNames.map((name) => operators[name].sign).join("  ");

function ColumnHead(props: GridHeadProps & { readonly column: ColumnEntry }): VNode {
  const { table, query, onQuery, column } = props;
  const { name, type, notNull, references } = column;
  const direction = query.sort === name ? query.order : undefined;
  const about = [
    type,
    ...(table.primaryKey.includes(name) ? ["key"] : []),
    ...(notNull ? ["not null"] : []),
    ...(references === undefined ? [] : [`→ ${references}`]),
  ].join(" · ");
  const sorted = direction === "desc" ? "descending" : "ascending";
  return (
    <th
      class={columnClass(column, table)}
      aria-sort={direction === undefined ? "none" : sorted}
      title={about}
      scope="col"
    >
      <button type="button" onClick={() => onQuery(nextSort(query, name))}>
        {name}
        <span class="accent" aria-hidden="true">
          {direction && (direction === "desc" ? " ↓" : " ↑")}
        </span>
      </button>
      <small>{about}</small>
      <input
        type="search"
        aria-label={`Filter ${name}`}
        title={`A value, or an operator and a value: ${signs}. Two with & between them.`}
        placeholder="filter"
        autocomplete="off"
        spellcheck={false}
        value={filterOf(query, name)}
        onInput={(event) =>
          onQuery({ filters: withFilter(query, name, event.currentTarget.value) })
        }
      />
    </th>
  );
}
