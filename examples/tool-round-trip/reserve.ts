/**
 * A model that reads and changes a row with two tools. The model is played by the scripts in `fixtures.json`, the
 * tools ask the tables interface of the same emulator, and the client is the real one.
 *
 *     npx tsx examples/tool-round-trip/reserve.ts "Please reserve 2 teapots"
 */
import { fileURLToPath } from "node:url";
import OpenAI from "openai";
import { createEmulator } from "../../src/index.ts";
import { loadFixtures } from "../../src/fronts/node/index.ts";

const service = "http://backlot.local/v1";

/** Asks the model, lets it use its tools, and gives its last words. */
export async function reserve(wish: string): Promise<string> {
  const fixtures = await loadFixtures(fileURLToPath(new URL("fixtures.json", import.meta.url)));
  const emulator = await createEmulator({ fixtures });
  const client = new OpenAI({ baseURL: service, apiKey: "local-key", fetch: emulator.fetch });

  /** Sends a request to the tables, and gives the rows of the answer as text. */
  const askTables = async (path: string, init: RequestInit = {}): Promise<string> => {
    const headers = { authorization: "Bearer local-token", "content-type": "application/json" };
    const response = await emulator.fetch(
      new Request(`${service}/rest${path}`, { ...init, headers }),
    );
    const { result } = (await response.json()) as { readonly result: unknown };
    return JSON.stringify(result);
  };

  const answer = await client.chat.completions
    .runTools({
      model: "atlas-large",
      messages: [{ role: "user", content: wish }],
      tools: [
        {
          type: "function",
          function: {
            name: "find_product",
            description: "Finds products by their title",
            parameters: { type: "object", properties: { title: { type: "string" } } },
            parse: JSON.parse,
            function: ({ title }: { title: string }) =>
              askTables(`/products?title.like=${encodeURIComponent(title)}`),
          },
        },
        {
          type: "function",
          function: {
            name: "set_stock",
            description: "Sets how many pieces of a product there are",
            parameters: {
              type: "object",
              properties: { id: { type: "integer" }, stock: { type: "integer" } },
            },
            parse: JSON.parse,
            function: ({ id, stock }: { id: number; stock: number }) =>
              askTables(`/products/${id}`, { method: "PATCH", body: JSON.stringify({ stock }) }),
          },
        },
      ],
    })
    .finalContent();
  return answer ?? "";
}

const [, script, wish = "Please reserve 2 teapots"] = process.argv;
if (script === fileURLToPath(import.meta.url)) console.log(await reserve(wish));
