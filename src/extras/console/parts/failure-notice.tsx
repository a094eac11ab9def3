import type { VNode } from "preact";
import type { Failure, ReportedProblem } from "../api/failure.ts";

function placeOf({ path, line, column }: ReportedProblem): string {
  const parts = [path, line === undefined ? undefined : `line ${line}, column ${column ?? 1}`];
  const place = parts.filter((part) => part !== undefined).join(", ");
  return place === "" ? "" : `${place}: `;
}

/** A failure, with all details from the server. */
export function FailureNotice({
  failure,
}: {
  readonly failure: Failure | undefined;
}): VNode | null {
  if (failure === undefined) return null;
  const { status, code, message, hint, problems = [] } = failure;
  // The message may already list its problems.
  const others = problems.filter((problem) => !message.includes(problem.message));
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{status === 0 ? "No answer" : status}</strong>{" "}
        {code !== undefined && <code>{code}</code>}
      </p>
      <p class="said">{message}</p>
      {hint !== undefined && <p class="said">{hint}</p>}
      {others.length > 0 && (
        <ul>
          {others.map((problem) => (
            <li key={placeOf(problem) + problem.message}>
              {placeOf(problem)}
              {problem.message}
            </li>
          ))}
        </ul>
      )}
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
