import { closedObject, dictionary, required } from "../../core/schema/objects.ts";
import type { Schema } from "../../core/schema/schema.ts";
import { nullable, textOf } from "../../core/schema/values.ts";

const metadata = dictionary(textOf({ most: 512 }), { mostKeys: 16, longestKey: 64 });

/** The body of a request that changes a stored completion. */
export const metadataBody: Schema<unknown> = closedObject({
  metadata: required(nullable(metadata)),
});
