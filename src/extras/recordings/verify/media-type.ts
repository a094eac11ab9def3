/** The type that a `content-type` names, without its parameters; undefined where there is none. */
export function mediaType(contentType: string | undefined): string | undefined {
  const [type = ""] = (contentType ?? "").split(";");
  return type.trim() === "" ? undefined : type.trim().toLowerCase();
}
