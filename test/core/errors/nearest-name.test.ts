import { expect, test } from "vitest";
import { didYouMean, nearestName } from "../../../src/core/errors/show.ts";

const columns = ["id", "name", "email", "created_at", "name_long"];

test.each([
  ["nmae", "name"],
  ["nam", "name"],
  ["naame", "name"],
  ["nome", "name"],
  ["NAME", "name"],
  ["createdAt", "created_at"],
  ["emial", "email"],
  ["idd", "id"],
])("takes %j for %j", (wrong, meant) => {
  expect(nearestName(wrong, columns)).toBe(meant);
});

test.each(["zebra", "x", "", "password", "n".repeat(101)])("finds nothing near %j", (wrong) => {
  expect(nearestName(wrong, columns)).toBeUndefined();
});

test("takes no letter for another one, but for itself in another case or with one more", () => {
  expect(nearestName("f", ["g", "h"])).toBeUndefined();
  expect(nearestName("f", ["g", "F"])).toBe("F");
  expect(nearestName("f", ["g", "fs"])).toBe("fs");
});

test("takes the nearest of several near names", () => {
  expect(nearestName("odrers", ["order", "orders_old", "orders"])).toBe("orders");
});

test("takes the first of names that are equally near", () => {
  expect(nearestName("cat", ["car", "cap"])).toBe("car");
});

test("counts swapped neighbours as one edit", () => {
  expect(nearestName("ba", ["ab"])).toBe("ab");
});

test("takes names of properties that every object has", () => {
  expect(nearestName("constructr", ["constructor", "__proto__"])).toBe("constructor");
  expect(nearestName("__proto_", new Set(["__proto__"]))).toBe("__proto__");
});

test("makes a question of the nearest name, or nothing", () => {
  expect(didYouMean("nmae", columns)).toBe(' Did you mean "name"?');
  expect(didYouMean("zebra", columns)).toBe("");
});

test("prefers, of names as near, the one that begins alike", () => {
  expect(nearestName("sped", ["seed", "speed"])).toBe("speed");
  expect(nearestName("sped", ["speed", "seed"])).toBe("speed");
});
