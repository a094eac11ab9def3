import type { Shape } from "./shape.ts";
import { text } from "./value-shapes.ts";

/** The name of a function that is offered as a tool. */
export const functionName: Shape = text({
  most: 64,
  pattern: /^[a-zA-Z0-9_-]+$/,
  form: 'letters, digits, "_" and "-"',
});
