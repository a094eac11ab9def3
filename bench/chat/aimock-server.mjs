// aimock as its documents show it, on a port, with fixtures from a file.
import { LLMock } from "@copilotkit/aimock";

const [port, file] = process.argv.slice(2);
const mock = new LLMock({ port: Number(port), logLevel: "silent" });
mock.loadFixtureFile(file);
await mock.start();
