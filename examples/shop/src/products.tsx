import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { onUpdate } from "virtual:backlot";
import {
  findProducts,
  pageSize,
  type Product,
  type ProductQuery,
  queryText,
  type SortColumn,
} from "./service.ts";

const categories = ["tea", "teaware", "coffee", "kitchen", "stationery", "pantry"];

const directions = { ASC: "ascending", DESC: "descending" } as const;

const columns: readonly (readonly [SortColumn, string])[] = [
  ["title", "Product"],
  ["category", "Category"],
  ["price", "Price"],
  ["stock", "In stock"],
  ["rating", "Rating"],
];

const everything: ProductQuery = {
  search: "",
  category: "",
  inStock: false,
  sortBy: "title",
  order: "ASC",
  page: 0,
};

/** A table that filters, sorts and pages on the service. */
export function Products(): JSX.Element {
  const [query, setQuery] = useState(everything);
  const { products, problem } = useProducts(query);
  /** Another filter or order begins at the first page. */
  const change = (part: Partial<ProductQuery>): void => setQuery({ ...query, page: 0, ...part });
  return (
    <section aria-label="Products">
      <Filters query={query} change={change} />
      <table>
        <Heads query={query} change={change} />
        <tbody>
          {products.slice(0, pageSize).map((product) => (
            <Row key={product.id} product={product} />
          ))}
        </tbody>
      </table>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <nav aria-label="Pages">
        <button disabled={query.page === 0} onClick={() => change({ page: query.page - 1 })}>
          Back
        </button>
        <span>Page {query.page + 1}</span>
        <button
          disabled={products.length <= pageSize}
          onClick={() => change({ page: query.page + 1 })}
        >
          Next
        </button>
      </nav>
      <code>GET {decodeURIComponent(queryText(query))}</code>
    </section>
  );
}

interface QueryProps {
  readonly query: ProductQuery;
  readonly change: (part: Partial<ProductQuery>) => void;
}

function Filters({ query, change }: QueryProps): JSX.Element {
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        value={query.search}
        onInput={({ currentTarget }) => change({ search: currentTarget.value })}
      />
      <select
        aria-label="Category"
        value={query.category}
        onChange={({ currentTarget }) => change({ category: currentTarget.value })}
      >
        <option value="">All categories</option>
        {categories.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <label>
        <input
          type="checkbox"
          checked={query.inStock}
          onChange={({ currentTarget }) => change({ inStock: currentTarget.checked })}
        />
        In stock only
      </label>
    </form>
  );
}

function Heads({ query, change }: QueryProps): JSX.Element {
  const { sortBy, order } = query;
  return (
    <thead>
      <tr>
        {columns.map(([name, label]) => (
          <th key={name} aria-sort={sortBy === name ? directions[order] : "none"}>
            <button
              onClick={() =>
                change({ sortBy: name, order: sortBy === name && order === "ASC" ? "DESC" : "ASC" })
              }
            >
              {label}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Row({ product }: { readonly product: Product }): JSX.Element {
  const { title, category, price, stock, rating } = product;
  return (
    <tr>
      <td>{title}</td>
      <td>{category}</td>
      <td>€{price.toFixed(2)}</td>
      <td>{stock === 0 ? "sold out" : stock}</td>
      <td>{rating ?? "–"}</td>
    </tr>
  );
}

/** The products of a query, asked for anew when it changes, and when the fixtures do. */
function useProducts(query: ProductQuery): {
  readonly products: readonly Product[];
  readonly problem: string | undefined;
} {
  const [products, setProducts] = useState<readonly Product[]>([]);
  const [problem, setProblem] = useState<string>();
  const [version, setVersion] = useState(0);
  useEffect(() => onUpdate(() => setVersion((before) => before + 1)), []);
  useEffect(() => {
    const leaving = new AbortController();
    const find = async (): Promise<void> => {
      try {
        setProducts(await findProducts(query, leaving.signal));
        setProblem(undefined);
      } catch (error) {
        if (!leaving.signal.aborted) setProblem(String(error));
      }
    };
    void find();
    return () => leaving.abort();
  }, [query, version]);
  return { products, problem };
}
