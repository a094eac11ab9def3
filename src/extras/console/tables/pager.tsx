import type { ComponentChildren, VNode } from "preact";
import { Select } from "../parts/form.tsx";
import type { TableQuery } from "./query.ts";

interface PagerProps {
  readonly query: TableQuery;
  /** How many rows are shown; undefined where nobody knows what there is. */
  readonly shown: number | undefined;
  /** Of all rows that fit; undefined where nobody has counted them. */
  readonly total: number | undefined;
  readonly onChange: (query: TableQuery) => void;
  readonly children: ComponentChildren;
}

const sizes = ["10", "25", "100", "500"].map((size) => [size, `${size} rows`] as const);

/** Goes through the rows, page by page. */
export function Pager({ query, shown, total, onChange, children }: PagerProps): VNode {
  const { limit, offset } = query;
  const end = offset + (shown ?? 0);
  const hasMore = shown !== undefined && (total === undefined ? shown === limit : end < total);
  const range = shown === undefined ? "" : shown === 0 ? "no rows" : `${offset + 1}–${end}`;
  // The count may be older than the rows.
  const count = total === undefined ? 0 : Math.max(total, end);
  return (
    <div class="pager">
      <button
        type="button"
        disabled={offset === 0}
        onClick={() => onChange({ ...query, offset: Math.max(0, offset - limit) })}
      >
        ‹ Previous
      </button>
      <button
        type="button"
        disabled={!hasMore}
        onClick={() => onChange({ ...query, offset: offset + limit })}
      >
        Next ›
      </button>
      <span role="status">
        {range}
        {shown !== undefined && count > 0 && ` of ${count}`}
      </span>
      <Select
        label="Rows on a page"
        bare
        value={String(limit)}
        options={sizes}
        onChange={(size) => onChange({ ...query, limit: Number(size), offset: 0 })}
      />
      <span class="grow" />
      {children}
    </div>
  );
}
