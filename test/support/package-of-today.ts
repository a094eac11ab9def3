import type { TestProject } from "vitest/node";
import { provideProject } from "./installed-package.ts";
import { readVersionsOfToday, today } from "./today.ts";

/** Packs and installs once for all tests of today. The user has what the registry gives today. */
export default function setup(vitest: TestProject): () => void {
  return provideProject(vitest, today, Object.keys(readVersionsOfToday()));
}
