import { servedTests } from "./served-tests.ts";

servedTests("one");
