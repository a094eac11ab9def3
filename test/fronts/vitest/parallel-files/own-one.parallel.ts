import { ownTests } from "./own-tests.ts";

ownTests("one");
