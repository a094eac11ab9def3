import type { VNode } from "preact";
import type { Failure } from "../api/failure.ts";

/** A failure, with all details from the server. */
export function FailureNotice({
  failure,
}: {
  readonly failure: Failure | undefined;
}): VNode | null {
  if (failure === undefined) return null;
  const { status, code, message, hint } = failure;
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{status === 0 ? "No answer" : status}</strong>{" "}
        {code !== undefined && <code>{code}</code>}
      </p>
      <p class="said">{message}</p>
      {hint !== undefined && <p class="said">{hint}</p>}
    </div>
  );
}

/** A problem of the user's input. */
export function Problem({ text }: { readonly text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}
