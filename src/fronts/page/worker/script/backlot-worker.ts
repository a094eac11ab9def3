/** The script that runs inside of a service worker. */
import { serveAs } from "./serve.ts";
import { Host } from "./host.ts";

serveAs(
  new Host({
    observer: {
      // Nobody else hears of it here.
      // oxlint-disable-next-line no-console
      failed: (error) => console.error("backlot:", error),
      // oxlint-disable-next-line no-console
      warned: (message) => console.warn(`backlot: ${message}`),
    },
  }),
);
