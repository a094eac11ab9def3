export {
  connect,
  type ConnectOptions,
  type RemoteEmulator,
  type RemoteSession,
  type RemoteSessionOptions,
} from "../remote/connect.ts";
export type {
  RemoteChats,
  RemoteFaults,
  RemoteJournal,
  RemoteSnapshots,
  RemoteTable,
  RemoteTables,
  RemoteWorld,
} from "../remote/connect.ts";
export { loadFixtures, type LoadOptions } from "./load-fixtures.ts";
export { middleware, type Middleware } from "./middleware.ts";
export { type ProvidesUrl, serveTests } from "./server.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server.ts";
