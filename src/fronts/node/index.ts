import { refuseOlderNode } from "../needs/refuse-older.ts";

export {
  connect,
  type ConnectOptions,
  type RemoteChats,
  type RemoteEmulator,
  type RemoteFaults,
  type RemoteJournal,
  type RemoteSession,
  type RemoteSessionOptions,
  type RemoteSnapshots,
  type RemoteTable,
  type RemoteTables,
  type RemoteWorld,
} from "../remote/connect.ts";
export { loadFixtures, type LoadOptions } from "./load-fixtures.ts";
export { middleware, type Middleware } from "./middleware.ts";
export {
  type ProvidesUrl,
  type RunningServer,
  serveTests,
  type ServerOptions,
  startServer,
} from "./server.ts";

refuseOlderNode();
