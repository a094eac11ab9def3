import type { ComponentChildren, VNode } from "preact";
import { Select } from "../parts/field.tsx";
import type { TableQuery } from "./query.ts";

interface PagerProps {
  readonly query: TableQuery;
  readonly shown: number;
  /** Of all rows that fit; undefined where nobody has counted them. */
  readonly total: number | undefined;
  readonly onChange: (query: TableQuery) => void;
  readonly children: ComponentChildren;
}

const sizes = ["10", "25", "100", "500"].map((size) => [size, `${size} rows`] as const);

/** Goes through the rows, page by page. */
export function Pager({ query, shown, total, onChange, children }: PagerProps): VNode {
  const { limit, offset } = query;
  const hasMore = total === undefined ? shown === limit : offset + shown < total;
  const range = shown === 0 ? "no rows" : `${offset + 1}–${offset + shown}`;
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
        {total !== undefined && total > 0 && ` of ${total}`}
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
