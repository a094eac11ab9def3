import { showText } from "../errors/show.ts";
import { hostPattern, originPattern } from "../settings/settings.ts";
import type { CallHeaders } from "../http/call.ts";
import type { OwnError } from "../http/reply.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";

/**
 * Who can connect to a server. `local`: only this machine, so an unknown Host means DNS rebinding. `network`: other
 * machines too, by names that are unknown here. `app`: anybody, since the app around the middleware checks the Host.
 */
type Exposure = "local" | "network" | "app";

/**
 * Returns why a request is refused: a page of another site may have sent it, directly or through DNS rebinding.
 * Undefined: it is let in.
 */
export type Guard = (headers: CallHeaders, settings: ResolvedSettings) => OwnError | undefined;

/** Makes the guard of a server. In a page there is nothing to guard, so only servers pass a guard to the core. */
export function guardFor(exposure: Exposure): Guard {
  return (headers, { hosts, allowedOrigins }) => {
    const { host = "", origin } = headers;
    const isKnown = isKnownHost(host, hosts);
    if (exposure === "local" && !isKnown) {
      const name = hostPattern.test(nameIn(host)) ? nameIn(host) : "<name>";
      return foreign("host", `the Host is ${showText(host)}`, `--allow-host ${name}`);
    }
    if (allowedOrigins.includes("*")) return undefined;
    if (origin === undefined) {
      return isEmbedded(headers) ? foreign("origin", embedded, "--allow-origin '*'") : undefined;
    }
    const isAllowed = isLoopbackHost(hostOf(origin)) || allowedOrigins.includes(origin);
    // In DNS rebinding, the page's own name is both Host and Origin, so that they are equal proves nothing if the Host
    // is unknown.
    const mayServePages = isKnown || exposure === "app";
    if (isAllowed || (mayServePages && isOwnOrigin(origin, host))) return undefined;
    const shown = originPattern.test(origin) ? origin : "<origin>";
    return foreign("origin", `the Origin is ${showText(origin)}`, `--allow-origin ${shown}`);
  };
}

const embedded = 'its Sec-Fetch-Site is "cross-site"';

function foreign(what: "host" | "origin", header: string, flag: string): OwnError {
  const who = what === "host" ? "a request for another host" : "a page of another site";
  const setting = what === "host" ? "hosts" : "cors.origins";
  const message = `Cannot answer ${who}: ${header}. If you trust it, start with ${flag} (in code and config: ${setting}).`;
  return { status: 403, code: `foreign_${what}`, message };
}

/** Whether a page of another site embeds or prefetches this. A user who follows a link is let in. */
export function isEmbedded(headers: CallHeaders): boolean {
  const isLink = headers["sec-fetch-dest"] === "document" && !("sec-purpose" in headers);
  return headers["sec-fetch-site"] === "cross-site" && !("origin" in headers) && !isLink;
}

/** Whether a Host is safe from DNS rebinding: a known name, an IP address, or none, since browsers always send one. */
function isKnownHost(host: string, hosts: readonly string[]): boolean {
  if (host === "" || isLoopbackHost(host) || address.test(host)) return true;
  return hosts.includes("*") || hosts.includes(nameIn(host));
}

/** The name in a Host, without the port. */
function nameIn(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "");
}

/** The Host of an Origin. Empty: it has none. */
function hostOf(origin: string): string {
  return /^[a-z][a-z\d+.-]*:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() ?? "";
}

/** Whether a page of the server itself sends a request. A proxy may add `https`. */
export function isOwnOrigin(origin: string, host: string): boolean {
  return host !== "" && /^https?:/i.test(origin) && hostOf(origin) === host.toLowerCase();
}

const byte = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const label = "[a-z\\d](?:[a-z\\d-]*[a-z\\d])?";
const port = "(?::\\d{1,5})?";
const loopback = new RegExp(
  `^(?:(?:${label}\\.)*localhost|127(?:\\.${byte}){3}|\\[::1\\])${port}$`,
  "i",
);
const loopbackAddress = new RegExp(`^(?:::1|(?:::ffff:)?127(?:\\.${byte}){3})$`, "i");
const address = new RegExp(`^(?:${byte}(?:\\.${byte}){3}|\\[[\\da-f:.]{2,45}\\])${port}$`, "i");

/** Whether a connection comes from this machine, by its remote address: IPv4, IPv6, or IPv4 written as IPv6. */
export function isLoopbackAddress(ip: string): boolean {
  return loopbackAddress.test(ip);
}

/**
 * Whether a Host header names this machine: `localhost`, a name below it, 127.0.0.0/8 or `[::1]`, with any port. No
 * page can point such a name at another machine, or pass off its own name as one.
 */
export function isLoopbackHost(host: string): boolean {
  // Names have at most 253 characters.
  return host.length < 300 && loopback.test(host);
}
