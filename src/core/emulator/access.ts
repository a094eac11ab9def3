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
 * Undefined: the request is let in.
 */
export type Guard = (headers: CallHeaders, settings: ResolvedSettings) => OwnError | undefined;

/** Makes the guard of a server. In a page there is nothing to guard, so only servers pass a guard to the core. */
export function guardFor(exposure: Exposure): Guard {
  return (headers, { hosts, allowedOrigins }) => {
    const { host = "", origin } = headers;
    const isKnown = isKnownHost(host, hosts);
    const isRefused = exposure === "local" ? !isKnown : isUnmarkedHost(host, hosts);
    if (exposure !== "app" && isRefused) {
      const name = hostPattern.test(nameIn(host)) ? nameIn(host) : "<name>";
      return foreign("host", `the Host is ${showText(host)}`, `--allow-host ${name}`);
    }
    if (allowedOrigins.includes("*")) return undefined;
    const load = unaskedLoad(headers);
    if (load !== undefined) return foreign("origin", load, "--allow-origin '*'");
    if (origin === undefined) return undefined;
    const isAllowed = isLoopbackHost(hostOf(origin)) || allowedOrigins.includes(origin);
    // In DNS rebinding, Host and Origin are both the page's own name, so equality proves nothing about an unknown
    // Host.
    const mayServePages = isKnown || exposure === "app";
    if (isAllowed || (mayServePages && isOwnOrigin(origin, host))) return undefined;
    const shown = originPattern.test(origin) ? origin : "<origin>";
    return foreign("origin", `the Origin is ${showText(origin)}`, `--allow-origin ${shown}`);
  };
}

function foreign(what: "host" | "origin", header: string, flag: string): OwnError {
  const who = what === "host" ? "a request for another host" : "a page of another site";
  const setting = what === "host" ? "hosts" : "cors.origins";
  const message = `Cannot answer ${who}: ${header}. If you trust it, start with ${flag} (in code and config: ${setting}).`;
  return { status: 403, code: `foreign_${what}`, message };
}

/** The headers by which browsers say that they load something before anybody asks for it. */
const earlyLoads: readonly (readonly [name: string, shown: string])[] = [
  ["sec-purpose", "Sec-Purpose"],
  ["purpose", "Purpose"],
  ["x-purpose", "X-Purpose"],
  ["x-moz", "X-Moz"],
];
const earlyPurpose = /prefetch|prerender|preview/i;

/**
 * Names the header that shows that nobody asked for a request: the browser fetches ahead, or a page of another site
 * embeds the answer. Undefined: there is none. A refused prefetch costs a page nothing, since the browser asks again
 * when the page is opened.
 */
export function unaskedLoad(headers: CallHeaders): string | undefined {
  for (const [name, shown] of earlyLoads) {
    const purpose = headers[name] ?? "";
    if (earlyPurpose.test(purpose)) return `its ${shown} is ${showText(purpose)}`;
  }
  const { "sec-fetch-site": site, "sec-fetch-dest": dest, origin } = headers;
  if (origin !== undefined || dest === "document") return undefined;
  // With `none`, no page sent the request. The user can ask only for a whole page, so anything else is suspicious.
  const isForeign = site === "cross-site" || (site === "none" && dest !== undefined);
  return isForeign ? `its Sec-Fetch-Site is ${showText(site)}` : undefined;
}

/** Whether a Host is safe from DNS rebinding: a known name, an IP address, or none, since browsers always send one. */
function isKnownHost(host: string, hosts: readonly string[]): boolean {
  if (host === "" || isLoopbackHost(host)) return true;
  return isNamedHost(host, hosts) || (address.test(host) && !isUnmarkedAddress(host));
}

function isNamedHost(host: string, hosts: readonly string[]): boolean {
  return hosts.includes("*") || hosts.includes(nameIn(host));
}

/** Whether a Host is an address for which browsers do not say which site asks, and which no setting allows. */
function isUnmarkedHost(host: string, hosts: readonly string[]): boolean {
  return address.test(host) && isUnmarkedAddress(host) && !isNamedHost(host, hosts);
}

/**
 * Whether an address leads to this machine although browsers do not count it as loopback, so that they send no
 * `Sec-Fetch-Site` with what a page embeds: 0.0.0.0, `[::]`, and IPv4 within IPv6.
 */
function isUnmarkedAddress(host: string): boolean {
  if (!host.startsWith("[")) return /^0+\./.test(host);
  // The parser writes every spelling of an IPv6 address in the same way.
  const parsed = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "[::]";
  return parsed !== "[::1]" && /^\[(?:::|64:ff9b:)/.test(parsed);
}

/** The name in a Host, without the port. */
function nameIn(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "");
}

/** The Host of an Origin; empty if it has none. */
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
