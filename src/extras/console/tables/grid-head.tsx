import type { VNode } from "preact";
import { operatorNames, operators } from "../../../core/store/operators.ts";
import type { ColumnEntry } from "../api/setup.ts";
import { isNumeric } from "./cell.ts";
import type { GridProps } from "./grid-props.ts";
import { filterOf, nextSort, withFilter } from "./query.ts";
import { keyPath, type TableRow } from "./row.ts";

interface GridHeadProps extends Pick<
  GridProps,
  "table" | "rows" | "query" | "onQuery" | "picked" | "onPick"
> {
  readonly canPick: boolean;
}

/** The names of the columns, each with its order and its filter. */
export function GridHead(props: GridHeadProps): VNode {
  const { table, rows, picked, onPick, canPick } = props;
  const known = rows.rows();
  const isAll = picked.size > 0 && picked.size >= known.length;
  const pickAll = (): void => {
    const keyed = known.map((row) => [keyPath(table, row), row] as const);
    const usable = keyed.filter((pair): pair is [string, TableRow] => pair[0] !== undefined);
    onPick(isAll ? new Map() : new Map(usable));
  };
  return (
    <thead>
      <tr aria-rowindex={1}>
        {canPick && (
          <th class="pick" scope="col">
            <input
              type="checkbox"
              aria-label={`Pick all ${known.length} rows that were read`}
              title="All rows that were read so far"
              checked={isAll}
              onChange={pickAll}
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
  const isKey = table.primaryKey.includes(name);
  const about = [
    type,
    ...(isKey ? ["primary key"] : []),
    ...(notNull ? ["not null"] : []),
    ...(references === undefined ? [] : [`→ ${references}`]),
  ].join(", ");
  const classes = [isNumeric(type) ? "right" : "", name === table.primaryKey[0] ? "key" : ""];
  const sorted = direction === "desc" ? "descending" : "ascending";
  return (
    <th
      class={classes.join(" ")}
      aria-sort={direction === undefined ? "none" : sorted}
      title={about}
      scope="col"
    >
      <button type="button" onClick={() => onQuery(nextSort(query, name))}>
        {name}
        <span class="accent" aria-hidden="true">
          {direction === undefined ? "" : direction === "desc" ? " ↓" : " ↑"}
        </span>
      </button>
      <small>{isKey ? `${type} · key` : type}</small>
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
