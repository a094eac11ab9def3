import { ownTests } from "./own-tests.ts";

ownTests("two");
