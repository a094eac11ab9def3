import type { ExchangeRecord } from "../../../../src/index.ts";

/** A request that a page makes for a test. */
export interface SentRequest {
  /** What later messages name it by. */
  readonly id: number;
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** In base64; undefined: none. */
  readonly body: string | undefined;
}

/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What a page tells while it makes a request: the head, each chunk as it comes, and how it ended. */
export type FetchMessage =
  | { readonly id: number; readonly kind: "head"; readonly head: ResponseHead }
  | { readonly id: number; readonly kind: "chunk"; readonly bytes: string }
  | { readonly id: number; readonly kind: "end" }
  | {
      readonly id: number;
      readonly kind: "error";
      readonly name: string;
      readonly message: string;
    };

/** All that a page tells a test, as JSON text. */
export type PageMessage =
  | FetchMessage
  | { readonly kind: "exchanged"; readonly record: ExchangeRecord }
  | { readonly kind: "failed"; readonly message: string };

/** Bytes as text that goes through JSON. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
