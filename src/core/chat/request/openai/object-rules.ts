import { chatErrors } from "../../errors.ts";
import { type Shape, stages } from "../shape.ts";
import { type Field, type ObjectRules, optional } from "../structure-shapes.ts";
import { nullable } from "../value-shapes.ts";

/** Arguments of a request: there are no others. The service names neither code nor param when it meets one. */
export const argumentRules: ObjectRules = {
  nullIsAbsent: false,
  strangers: (names, known) => ({
    stage: stages.unknown,
    path: "",
    error: () => chatErrors.unknownArguments(names, known),
  }),
};

/** Objects in arguments, whose keys are all known. */
export const closed: ObjectRules = {
  nullIsAbsent: false,
  strangers: ([name = ""], known) => ({
    stage: stages.unknown,
    path: name,
    error: (path) => chatErrors.unknownParameter(path, name, known),
  }),
};

/** Messages and their parts, in which SDKs send back keys that they added to replies themselves. */
export const open: ObjectRules = { nullIsAbsent: false };

/** A field that may be left out or be null. */
export function maybe(shape: Shape): Field {
  return optional(nullable(shape));
}
