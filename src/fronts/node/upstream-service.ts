import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";

/** A real service, as requests to it are made. */
export interface UpstreamService {
  readonly isSecure: boolean;
  readonly hostname: string;
  /** What the header of that name says. */
  readonly host: string;
  readonly port: string;
  readonly agent: HttpAgent;
  /** Its address, for messages. */
  readonly shown: string;
  /** The path to ask for, given one below the interface's mount point. */
  readonly pathFor: (path: string, query: string) => string;
}

/** A service at an address such as `https://api.example.com/v1`. Its connections are kept for the next request. */
export function upstreamService(url: URL): UpstreamService {
  const isSecure = url.protocol === "https:";
  const base = url.pathname.replace(/\/+$/, "");
  return {
    isSecure,
    // As node:http wants an address of IPv6.
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    host: url.host,
    port: url.port === "" ? String(isSecure ? 443 : 80) : url.port,
    agent: isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true }),
    shown: `${url.origin}${base}`,
    pathFor: (path, query) => {
      const whole = `${base}${path}`;
      return `${whole === "" ? "/" : whole}${query === "" ? "" : `?${query}`}`;
    },
  };
}
