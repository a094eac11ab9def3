import { makeConsole } from "../../scripts/console/make-console.ts";

/** Makes the console's page, which is not kept with the source. */
export default async function setup(): Promise<void> {
  await makeConsole();
}
