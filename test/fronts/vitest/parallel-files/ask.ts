/** Anything that answers requests: a session in this process, or one of a server. */
export interface Asked {
  readonly fetch: (input: string, init?: RequestInit) => Promise<Response>;
}

function sent(body: unknown): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

/** Stores a user. */
export function storeUser({ fetch }: Asked, name: string): Promise<Response> {
  return fetch("/rest/users", sent({ name }));
}

/** What the model says to a text. */
export async function chat({ fetch }: Asked, content: string): Promise<unknown> {
  const messages = [{ role: "user", content }];
  const response = await fetch("/v1/chat/completions", sent({ model: "any", messages }));
  const { choices } = (await response.json()) as {
    readonly choices: readonly { readonly message: { readonly content: unknown } }[];
  };
  return choices[0]?.message.content;
}
