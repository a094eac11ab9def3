import type { ControlRoute } from "./read-call.ts";
import { chatRoutes } from "./routes/chats.ts";
import { aboutRoutes, healthRoute } from "./routes/about.ts";
import { faultRoutes } from "./routes/faults.ts";
import { requestRoutes } from "./routes/requests.ts";
import { stateRoutes } from "./routes/state.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { snapshotRoutes } from "./routes/snapshots.ts";
import { tableRoutes } from "./routes/tables.ts";

/** Every operation of the control API. */
export const routes: readonly ControlRoute[] = [
  healthRoute,
  ...stateRoutes,
  ...tableRoutes,
  ...chatRoutes,
  ...requestRoutes,
  ...faultRoutes,
  ...sessionRoutes,
  ...snapshotRoutes,
  ...aboutRoutes,
];
