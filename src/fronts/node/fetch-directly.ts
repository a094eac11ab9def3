import type { Agent } from "undici";
import { isLoopbackHost } from "../../core/emulator/access.ts";

/** Variables by which Node's own fetch finds a proxy, with NODE_USE_ENV_PROXY. */
const proxyVariable = /^https?_proxy$/i;

let agent: Agent | undefined;

/**
 * The global `fetch`, but without a proxy for a server on this machine. Node would ask a proxy for that one too, if
 * NO_PROXY does not name it.
 */
export async function fetchDirectly(
  input: Request | string,
  init?: RequestInit,
): Promise<Response> {
  const { host } = new URL(typeof input === "string" ? input : input.url);
  if (!mayHaveProxy() || !isLoopbackHost(host)) return fetch(input, init);
  const undici = await import("undici");
  const dispatcher = (agent ??= new undici.Agent());
  // Node's own fetch takes the agent of an undici that is not its own, which its types do not know.
  const direct: object = { ...init, dispatcher };
  return fetch(input, direct);
}

function mayHaveProxy(): boolean {
  return Object.keys(process.env).some((name) => proxyVariable.test(name));
}
