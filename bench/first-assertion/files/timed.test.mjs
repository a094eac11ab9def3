import { test } from "vitest";
import "./timed.mjs";

test("the file was imported", () => {});
