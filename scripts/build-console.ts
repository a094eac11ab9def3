// Makes the console's page out of src/extras/console, for what runs from source: `npm start`, the types, tests.
import { makeConsole } from "./console/make-console.ts";

await makeConsole();
