import type { ControlRoute } from "./read-call.ts";
import { chatRoutes } from "./routes/chats.ts";
import { consoleRoutes, documentRoutes, healthRoutes, metricsRoutes } from "./routes/about.ts";
import { faultRoutes } from "./routes/faults.ts";
import { requestRoutes } from "./routes/requests.ts";
import { resetRoutes, stateRoutes } from "./routes/state.ts";
import { sessionRoutes, snapshotRoutes } from "./routes/sessions.ts";
import { tableRoutes } from "./routes/tables.ts";

/** Every operation of the control API. */
export const routes: readonly ControlRoute[] = [
  ...healthRoutes,
  ...resetRoutes,
  ...stateRoutes,
  ...tableRoutes,
  ...chatRoutes,
  ...requestRoutes,
  ...faultRoutes,
  ...sessionRoutes,
  ...snapshotRoutes,
  ...metricsRoutes,
  ...documentRoutes,
  ...consoleRoutes,
];
