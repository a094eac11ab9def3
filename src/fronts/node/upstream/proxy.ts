import { isLoopbackHost } from "../../../core/emulator/access.ts";

/**
 * Finds the proxy that an environment names for a service: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, as curl reads
 * them. A service on this machine has none.
 */
export function proxyFrom(
  env: Readonly<Record<string, string | undefined>>,
): (service: URL) => string | undefined {
  const read = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? "";
  const without = read("NO_PROXY")
    .split(/[\s,]+/)
    .filter((entry) => entry !== "");
  return ({ protocol, hostname, port }) => {
    const isDirect = without.some((entry) => {
      const [, name = "", only = ""] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      const isNamed = name === "" || hostname === name || hostname.endsWith(`.${name}`);
      return isNamed && (only === "" || only === port);
    });
    const proxy = read(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
    if (isDirect || proxy === "" || isLoopbackHost(hostname)) return undefined;
    return proxy.includes("://") ? proxy : `http://${proxy}`;
  };
}
