/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** How many characters of base64 are read: a JPEG's size may come behind a preview of it, a colour profile and notes. */
const most = 400_000;

/**
 * How many characters are read first, since most formats have the size in their first bytes. A multiple of four, as
 * base64 needs.
 */
const few = 64;

/** The size of a PNG, GIF, WebP or JPEG in a `data:` URL. Undefined: it cannot be read. */
export function sizeOfDataUrl(url: string): ImageSize | undefined {
  const [head] = /^data:[^,]*;base64,/i.exec(url.slice(0, 1_000)) ?? [];
  if (head === undefined) return undefined;
  const start = bytesOf(url.slice(head.length, head.length + few));
  const size = isJpeg(start)
    ? sizeOfJpeg(bytesOf(url.slice(head.length, head.length + most)))
    : (sizeOfPng(start) ?? sizeOfGif(start) ?? sizeOfWebp(start));
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** The bytes of base64; none if it is broken. */
function bytesOf(base64: string): DataView {
  let text = "";
  try {
    text = atob(base64.slice(0, base64.length - (base64.length % 4)));
  } catch {
    // Broken data has no size.
  }
  return new DataView(Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer);
}

/** Whether the bytes have a text at a position. */
function says(bytes: DataView, at: number, text: string): boolean {
  if (at + text.length > bytes.byteLength) return false;
  return Array.from(text).every(
    (letter, index) => bytes.getUint8(at + index) === letter.charCodeAt(0),
  );
}

function sizeOfPng(bytes: DataView): ImageSize | undefined {
  if (!says(bytes, 1, "PNG") || bytes.byteLength < 24) return undefined;
  return { width: bytes.getUint32(16), height: bytes.getUint32(20) };
}

function sizeOfGif(bytes: DataView): ImageSize | undefined {
  if (!says(bytes, 0, "GIF8") || bytes.byteLength < 10) return undefined;
  return { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) };
}

/** The size in a WebP of any of its three kinds: lossy, lossless, and extended (with transparency or animation). */
function sizeOfWebp(bytes: DataView): ImageSize | undefined {
  if (!says(bytes, 0, "RIFF") || !says(bytes, 8, "WEBP") || bytes.byteLength < 30) return undefined;
  if (says(bytes, 12, "VP8X")) {
    const less = (at: number): number =>
      bytes.getUint16(at, true) + bytes.getUint8(at + 2) * 65_536;
    return { width: less(24) + 1, height: less(27) + 1 };
  }
  if (says(bytes, 12, "VP8L")) {
    const bits = bytes.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return {
    width: bytes.getUint16(26, true) & 0x3fff,
    height: bytes.getUint16(28, true) & 0x3fff,
  };
}

function isJpeg(bytes: DataView): boolean {
  return bytes.byteLength > 2 && bytes.getUint16(0) === 0xffd8;
}

/** The size in a JPEG, which is a row of segments. The segment that begins the picture has its size. */
function sizeOfJpeg(bytes: DataView): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= bytes.byteLength && bytes.getUint8(at) === 0xff) {
    const kind = bytes.getUint8(at + 1);
    if (beginsPicture(kind)) {
      return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) };
    }
    // A segment may have more 0xff before it.
    at += kind === 0xff ? 1 : 2 + bytes.getUint16(at + 2);
  }
  return undefined;
}

function beginsPicture(kind: number): boolean {
  const isTable = kind === 0xc4 || kind === 0xc8 || kind === 0xcc;
  return kind >= 0xc0 && kind <= 0xcf && !isTable;
}
