import type { Route } from "./route.ts";
import { chatRoutes } from "./routes/chats.ts";
import { consoleRoutes } from "./routes/console.ts";
import { documentRoutes } from "./routes/documents.ts";
import { faultRoutes } from "./routes/faults.ts";
import { healthRoutes } from "./routes/health.ts";
import { requestRoutes } from "./routes/requests.ts";
import { resetRoutes } from "./routes/reset.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { snapshotRoutes } from "./routes/snapshots.ts";
import { stateRoutes } from "./routes/state.ts";
import { tableRoutes } from "./routes/tables.ts";

/** Every operation of the control API. */
export const routes: readonly Route[] = [
  ...healthRoutes,
  ...resetRoutes,
  ...stateRoutes,
  ...tableRoutes,
  ...chatRoutes,
  ...requestRoutes,
  ...faultRoutes,
  ...sessionRoutes,
  ...snapshotRoutes,
  ...documentRoutes,
  ...consoleRoutes,
];
