import { refuseOlderNode } from "../needs/refuse-older.ts";

export { connect } from "./connect.ts";
export type {
  ConnectOptions,
  RemoteChats,
  RemoteEmulator,
  RemoteFaults,
  RemoteJournal,
  RemoteSession,
  RemoteSessionOptions,
  RemoteSnapshots,
  RemoteTable,
  RemoteTables,
  RemoteWorld,
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
