import { defineConfig } from "vite";
// In a project of your own: from "backlot/vite".
import { backlot, type BacklotMode } from "../../src/fronts/vite/index.ts";

/** Who answers: "server" (Vite's dev server), "msw" or "worker" (a service worker), "start" (`npx backlot start`). */
const backend = process.env["BACKEND"] ?? "server";

const isElsewhere = backend === "start";
const elsewhere = process.env["BACKLOT_URL"] ?? "http://127.0.0.1:4010";

export default defineConfig({
  plugins: [
    backlot({
      fixtures: "../../fixtures",
      mode: isElsewhere ? "off" : (backend as BacklotMode),
    }),
  ],
  define: { "import.meta.env.SERVICE_URL": JSON.stringify(isElsewhere ? elsewhere : "") },
});
