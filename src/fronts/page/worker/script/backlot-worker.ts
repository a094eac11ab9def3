/** The script that runs as a service worker. */
import { serveAs } from "./serve.ts";
import { Host } from "./host.ts";

serveAs(
  new Host({
    observer: {
      // A worker has no other place to report errors.
      // oxlint-disable-next-line no-console
      failed: (error) => console.error("backlot:", error),
      // oxlint-disable-next-line no-console
      warned: (message) => console.warn(`backlot: ${message}`),
    },
  }),
);
