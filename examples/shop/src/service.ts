/** Where the service is: at the page's own address, unless the config names another. */
const service: string = import.meta.env["SERVICE_URL"];

const tablesToken = "local-token";
const chatKey = "local-key";

export interface Product {
  readonly id: number;
  readonly title: string;
  readonly category: string;
  readonly price: number;
  readonly stock: number;
  readonly rating: number | null;
}

export type SortColumn = "title" | "category" | "price" | "stock" | "rating";

/** What the table shows. All of it is worked out by the service. */
export interface ProductQuery {
  readonly search: string;
  readonly category: string;
  readonly inStock: boolean;
  readonly sortBy: SortColumn;
  readonly order: "ASC" | "DESC";
  readonly page: number;
}

export const pageSize = 6;

/** The query as the tables interface takes it. One row more than a page tells whether there is a next one. */
export function queryText(query: ProductQuery): string {
  const { search, category, inStock, sortBy, order, page } = query;
  const parameters = new URLSearchParams();
  if (search !== "") parameters.set("title.like", `%${search}%`);
  if (category !== "") parameters.set("category", category);
  if (inStock) parameters.set("stock.gte", "1");
  parameters.set("sort_by", sortBy);
  parameters.set("order", order);
  parameters.set("limit", String(pageSize + 1));
  parameters.set("offset", String(page * pageSize));
  return `/rest/products?${parameters}`;
}

export async function findProducts(
  query: ProductQuery,
  signal: AbortSignal,
): Promise<readonly Product[]> {
  const headers = { authorization: `Bearer ${tablesToken}` };
  const response = await fetch(`${service}${queryText(query)}`, { headers, signal });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer.result;
}

export interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Asks the model, and gives its answer piece by piece as it comes. */
export async function* askModel(
  messages: readonly Message[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const response = await fetch(`${service}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${chatKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "atlas-large", stream: true, messages }),
    signal,
  });
  if (!response.ok || response.body === null)
    throw new Error((await response.json()).error.message);
  for await (const data of eventData(response.body)) {
    if (data === "[DONE]") return;
    const { choices, error } = JSON.parse(data);
    if (error !== undefined) throw new Error(error.message);
    yield choices[0]?.delta.content ?? "";
  }
  throw new Error("The answer broke off.");
}

/** The data of each event of a stream of server-sent events. */
async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: ")) yield event.slice(6);
  }
}
