import { consolePolicy, packedPage as inBase64 } from "../../../.built/console-page.js";

export { consolePolicy };

/** The console as one page, compressed by gzip: a third of its size in the package, and on its way to a browser. */
export const packedPage: Uint8Array<ArrayBuffer> = Uint8Array.from(atob(inBase64), (letter) =>
  letter.charCodeAt(0),
);

let unpacked: Promise<string> | undefined;

/** The unpacked page, for clients that do not unpack it themselves. */
export function consolePage(): Promise<string> {
  return (unpacked ??= unpack());
}

async function unpack(): Promise<string> {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  // Await this only after reading: the stream takes nothing before somebody reads.
  const written = Promise.all([writer.write(packedPage), writer.close()]);
  const page = await new Response(readable).text();
  await written;
  return page;
}
