import type { Transport } from "../transports.ts";
import { mswWorker } from "./msw-worker-transport.ts";
import { ownWorker } from "./own-worker-transport.ts";

/** All transports whose client is a page of a real browser. */
export const browserTransports: readonly Transport[] = [mswWorker, ownWorker];
