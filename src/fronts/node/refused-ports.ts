/**
 * The ports that `fetch` and browsers refuse, since other protocols use them: "bad ports" of the fetch standard
 * (https://fetch.spec.whatwg.org/#port-blocking).
 */
const refusedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** Whether `fetch` and browsers refuse to connect to a port. */
export function isRefusedPort(port: number): boolean {
  return refusedPorts.has(port);
}

/** The first port from a number on that `fetch` and browsers connect to. */
export function portFrom(port: number): number {
  return isRefusedPort(port) ? portFrom(port + 1) : port;
}

/** A warning about a port that `fetch` and browsers refuse; undefined for any other port. */
export function refusedPortWarning(port: number): string | undefined {
  if (!isRefusedPort(port)) return undefined;
  // Ports below 1024 often need special permission.
  const other = portFrom(port < 1024 ? 8000 + port : port);
  return (
    `Browsers and fetch refuse to connect to port ${port}, because another protocol uses it: they fail with ` +
    `"bad port" or ERR_UNSAFE_PORT. Choose another port, such as --port ${other} (in code and config: port).`
  );
}
