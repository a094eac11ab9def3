export { loadFixtures, type LoadOptions } from "./load-fixtures.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server.ts";
