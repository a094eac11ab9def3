let isAsked: boolean | undefined;

/**
 * Makes `Response.clone` copy a body by the body's own `tee` method, if it has one. Node's fetch did that until Node
 * 26. Bodies without a `tee` method of their own are cloned as usual.
 */
export function cloneByTee(): void {
  isAsked ??= cloneAsksBody();
  if (isAsked) return;
  isAsked = true;
  const { prototype } = Response;
  // Called on the response that is cloned, below.
  // oxlint-disable-next-line typescript/unbound-method
  const { clone } = prototype;
  Object.defineProperty(prototype, "clone", {
    configurable: true,
    writable: true,
    value(this: Response): Response {
      const { body, bodyUsed } = this;
      const isOrdinary = body === null || !Object.hasOwn(body, "tee") || body.locked || bodyUsed;
      return isOrdinary ? clone.call(this) : copyInTwo(this, body);
    },
  });
}

function cloneAsksBody(): boolean {
  const body = new ReadableStream<Uint8Array>();
  let isAskedHere = false;
  const tee = (): [ReadableStream, ReadableStream] => {
    isAskedHere = true;
    return [new ReadableStream(), new ReadableStream()];
  };
  Object.defineProperty(body, "tee", { value: tee });
  new Response(body).clone();
  return isAskedHere;
}

const readers = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"] as const;

/**
 * Returns the copy. The body of the response itself cannot be replaced, so from now on its methods read the other half.
 */
function copyInTwo(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response;
  const [own, other] = body.tee();
  const half = new Response(own, { headers });
  Object.defineProperty(response, "body", { configurable: true, get: () => half.body });
  Object.defineProperty(response, "bodyUsed", { configurable: true, get: () => half.bodyUsed });
  for (const name of readers) {
    Object.defineProperty(response, name, { configurable: true, value: () => half[name]() });
  }
  return new Response(other, { status, statusText, headers });
}
