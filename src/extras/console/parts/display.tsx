import type { ComponentChildren, VNode } from "preact";
import type { Failure } from "../api/client.ts";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useConsole } from "./use-console.ts";

interface PageHeadProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The heading of a view, with its buttons. */
export function PageHead({ title, note, children }: PageHeadProps): VNode {
  return (
    <div class="row">
      <h1 tabIndex={-1}>{title}</h1>
      {note !== undefined && <p class="muted">{note}</p>}
      <div class="row end">{children}</div>
    </div>
  );
}

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

/** A problem with the user's input. */
export function Problem({ text }: { readonly text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}

/**
 * A message over the page, so that nothing on the page moves. The message stays until the next one, or until the user
 * leaves the view.
 */
export function Toast({ text }: { readonly text: string }): null {
  const { tell } = useConsole();
  useEffect(() => {
    tell(text);
    return () => tell("");
  }, [text, tell]);
  return null;
}

/** A failure as a message over the page. */
export function FailureToast({ failure }: { readonly failure: Failure | undefined }): null {
  const { report } = useConsole();
  useEffect(() => {
    if (failure === undefined) return undefined;
    report(failure);
    return () => report(undefined);
  }, [failure, report]);
  return null;
}

interface FactsProps {
  /** The names and values. Undefined values are left out. */
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
  readonly label?: string;
  /** `pairs` shows the values as code, one below the other. */
  readonly class?: "row" | "pairs";
}

/** A list of names and values. */
export function Facts({ facts, label, class: name = "row" }: FactsProps): VNode {
  return (
    <dl class={name} aria-label={label}>
      {facts.map(
        ([fact, text], index) =>
          text !== undefined && (
            <div key={index}>
              <dt>{fact}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A value as JSON; a text is shown unquoted. */
export function JsonView({
  value,
  label,
}: {
  readonly value: unknown;
  readonly label: string;
}): VNode {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return (
    <pre class="block" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

interface SmallTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A read-only table. */
export function SmallTable({ label, heads, rows }: SmallTableProps): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ModalProps {
  readonly label: string;
  readonly class?: string;
  /** Called when the dialog has been closed, by Escape or by a click beside it. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog above the page, open from the start. When it closes, the focus returns to where it was. */
export function Modal({ label, onClose, children, ...more }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      {...more}
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      {children}
    </dialog>
  );
}
