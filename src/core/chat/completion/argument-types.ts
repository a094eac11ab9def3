import { asObject } from "../../schema/json.ts";
import type { ChatRequest } from "../request/chat-request.ts";

/** The JSON Schema that the request gives for a tool's arguments. Undefined: the request gives none. */
export function parametersOf({ options }: ChatRequest, tool: string): unknown {
  const tools: readonly unknown[] = Array.isArray(options["tools"]) ? options["tools"] : [];
  const older: readonly unknown[] = Array.isArray(options["functions"]) ? options["functions"] : [];
  const functions = [
    ...tools.map((offered) => asObject(asObject(offered)?.["function"])),
    ...older.map(asObject),
  ];
  return functions.find((offered) => offered?.["name"] === tool)?.["parameters"];
}

/** Whether a tool that the request offers takes a text in place of arguments. */
export function isCustomTool({ options }: ChatRequest, name: string): boolean {
  const tools: readonly unknown[] = Array.isArray(options["tools"]) ? options["tools"] : [];
  return tools.some((offered) => asObject(asObject(offered)?.["custom"])?.["name"] === name);
}

/** The schema of a property, or of an array's items. */
export function schemaWithin(schema: unknown, key: string | number): unknown {
  if (typeof key === "number") return asObject(schema)?.["items"];
  const properties = asObject(asObject(schema)?.["properties"]) ?? {};
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/**
 * A template's result, converted to the type that the schema asks for, since the named groups of a regular expression
 * are always texts.
 */
export function asTyped(value: unknown, schema: unknown): unknown {
  const types = [asObject(schema)?.["type"]].flat();
  if (typeof value !== "string" || types.includes("string")) return value;
  if (types.includes("boolean") && ["true", "false"].includes(value)) return value === "true";
  const isWhole = /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value));
  if (types.includes("integer") && isWhole) return Number(value);
  const isNumber = isWhole || /^-?\d+\.\d+$/.test(value);
  return types.includes("number") && isNumber ? Number(value) : value;
}
