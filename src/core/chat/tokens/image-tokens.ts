import { asObject } from "../../schema/json.ts";
import { type ImageSize, sizeOfDataUrl } from "./image-size.ts";

/** The published rule for images: a number of tokens for each, and more for each tile of a large one. */
const rule = {
  base: 85,
  perTile: 170,
  tile: 512,
  /** The side of the square into which a larger image is scaled first. */
  square: 2048,
  /** The length to which the image's shorter side is then scaled down. */
  shorter: 768,
} as const;

/** The size that is assumed for an image whose size cannot be read. */
const usual: ImageSize = { width: 1024, height: 1024 };

/** The number of tokens of a part's `image_url`. */
export function imageTokens(image: unknown): number {
  const { url, detail } = asObject(image) ?? {};
  if (detail === "low") return rule.base;
  const { width, height } = (typeof url === "string" ? sizeOfDataUrl(url) : undefined) ?? usual;
  const fit = Math.min(1, rule.square / Math.max(width, height));
  const scale = fit * Math.min(1, rule.shorter / (fit * Math.min(width, height)));
  return rule.base + rule.perTile * tilesOf(width * scale) * tilesOf(height * scale);
}

function tilesOf(side: number): number {
  return Math.max(1, Math.ceil(Math.round(side) / rule.tile));
}
