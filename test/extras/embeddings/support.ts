import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/index.ts";

/** An emulator of the whole service, with fixtures and settings of its own. */
export function wholeService(
  fixtures: object = {},
  settings: EmulatorOptions = {},
): Promise<Emulator> {
  return createEmulator({ fixtures, profiles: { chat: "openai" }, ...settings });
}

/** Sends a body to an address, and reads the answer. */
export async function post(
  { fetch }: Pick<Emulator, "fetch">,
  body: unknown,
  path: string = "/v1/embeddings",
) {
  const response = await fetch(path, {
    method: "POST",
    headers: { authorization: "Bearer key", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The vectors of texts. */
export async function vectorsOf(
  emulator: Pick<Emulator, "fetch">,
  input: string | readonly string[],
  fields: object = {},
): Promise<number[][]> {
  const { body } = await post(emulator, { model: "text-embedding-3-small", input, ...fields });
  return body.data.map(({ embedding }: { embedding: number[] }) => embedding);
}

/** The similarity of two vectors of length 1. */
export function similarity(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, number, place) => sum + number * (right[place] ?? 0), 0);
}
