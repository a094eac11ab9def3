import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { EmulatorError } from "../../core/errors/emulator-error.ts";

interface Address {
  readonly port: number;
  readonly host: string;
}

const highestPort = 65_535;

/** Starts listening. Rejects with `ERR_LISTEN`, which says what to try instead. */
export function listen(server: Server, options: Address): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(listenError(error, options));
    server.once("error", refuse);
    server.once("listening", () => {
      server.off("error", refuse);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address);
    });
    try {
      server.listen(options.port, options.host);
    } catch (error) {
      // A port that is no port is thrown, not emitted.
      refuse(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

function listenError(error: NodeJS.ErrnoException, { port, host }: Address): EmulatorError {
  const next = port < highestPort ? `--port ${port + 1}, or --port 0` : "--port 0";
  const advice =
    error.code === "EADDRINUSE"
      ? `the port is in use. Try ${next} for a free one.`
      : `${error.message}. Choose another host or port.`;
  return new EmulatorError("ERR_LISTEN", `Cannot listen on ${host}:${port}: ${advice}`, {
    cause: error,
  });
}
