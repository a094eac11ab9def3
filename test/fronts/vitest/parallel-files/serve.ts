import { createEmulator } from "../../../../src/index.ts";
import { serveTests } from "../../../../src/fronts/node/index.ts";
import { fixtures, settings } from "./fixtures.ts";

export default serveTests(await createEmulator({ fixtures, ...settings }));
