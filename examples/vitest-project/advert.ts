import OpenAI from "openai";

/** Writes an advert for a product, unless there is nothing to sell. It knows of no emulator: all is in its environment. */
export async function advertFor(id: number): Promise<string | undefined> {
  const { BACKLOT_URL, AUTHORIZATION_TOKEN } = process.env;
  const response = await fetch(`${BACKLOT_URL}/rest/products/${id}`, {
    headers: { authorization: `Bearer ${AUTHORIZATION_TOKEN}` },
  });
  const { result } = (await response.json()) as {
    readonly result: readonly { readonly title: string; readonly stock: number }[];
  };
  const [product] = result;
  if (product === undefined || product.stock === 0) return undefined;
  // It takes its address from OPENAI_BASE_URL, and its key from OPENAI_API_KEY.
  const { choices } = await new OpenAI().chat.completions.create({
    model: "atlas-large",
    messages: [{ role: "user", content: `Write an advert for ${product.title}` }],
  });
  return choices[0]?.message.content ?? undefined;
}
