const byte = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const label = "[a-z\\d](?:[a-z\\d-]*[a-z\\d])?";
const loopback = new RegExp(
  `^(?:(?:${label}\\.)*localhost|127(?:\\.${byte}){3}|\\[::1\\])(?::\\d{1,5})?$`,
  "i",
);

const loopbackAddress = new RegExp(`^(?:::1|(?:::ffff:)?127(?:\\.${byte}){3})$`, "i");

/** Whether a connection comes from this machine, by the address of its other end: IPv4, IPv6, or the one in the other. */
export function isLoopbackAddress(address: string): boolean {
  return loopbackAddress.test(address);
}

/**
 * Whether a Host header names this machine: `localhost`, a name below it, 127.0.0.0/8 or `[::1]`, with any port.
 * A page cannot make such a name lead to another machine's server, nor have its own name accepted.
 */
export function isLoopbackHost(host: string): boolean {
  // Names have at most 253 characters.
  return host.length < 300 && loopback.test(host);
}
