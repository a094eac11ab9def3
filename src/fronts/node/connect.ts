import { connectThrough, type ConnectOptions, type RemoteEmulator } from "../remote/connect.ts";
import { fetchDirectly } from "./fetch-directly.ts";

/**
 * Reaches a running Backlot, whoever started it, over HTTP: `connect<typeof fixtures>(url)` gives the types of rows. Throws `ERR_OPTION_INVALID` for an invalid URL, such as the
 * value of an unset variable, and for unknown options. Sends no request before it is used.
 *
 * @example
 * const { tables, journal } = connect(url).session("test-7");
 * console.log(await tables.users.rows(), await journal.list());
 */
export function connect<Fixtures = unknown>(
  url: string | URL | undefined,
  options: ConnectOptions = {},
): RemoteEmulator<Fixtures> {
  return connectThrough(fetchDirectly, url, options);
}
