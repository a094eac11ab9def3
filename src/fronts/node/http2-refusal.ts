const data = 0;
const headers = 1;
const settings = 4;
const goAway = 7;
const endOfStream = 1;
const endOfHeaders = 4;
const prefaceLength = 24;
const frameHeadLength = 9;
/** The error code HTTP_1_1_REQUIRED of RFC 9113, section 7. */
const http1Required = 13;

/** `:status: 505` and `content-type: application/json`, with both names out of HPACK's static table. */
const responseHead: Buffer = Buffer.concat([
  Buffer.from([0x08, 3]),
  Buffer.from("505"),
  Buffer.from([0x0f, 0x10, 16]),
  Buffer.from("application/json"),
]);

/**
 * The bytes that refuse a client which speaks HTTP/2 without negotiating it. Such a client cannot read HTTP/1.1, so it
 * gets frames: a response, if its first packet contains a request, and the end of the connection, both with the same
 * text.
 */
export function http2Refusal(packet: Buffer, text: string): Buffer {
  const body = Buffer.from(text);
  const stream = firstStreamOf(packet);
  const response = [
    frame(headers, endOfHeaders, stream, responseHead),
    frame(data, endOfStream, stream, body),
  ];
  const end = Buffer.alloc(8);
  end.writeUInt32BE(stream, 0);
  end.writeUInt32BE(http1Required, 4);
  return Buffer.concat([
    frame(settings, 0, 0, Buffer.alloc(0)),
    ...(stream === 0 ? [] : response),
    frame(goAway, 0, 0, Buffer.concat([end, body])),
  ]);
}

/** The number of the stream with the first request; 0 if the packet contains none. */
function firstStreamOf(packet: Buffer): number {
  let at = prefaceLength;
  while (at + frameHeadLength <= packet.length) {
    if (packet[at + 3] === headers) return packet.readUInt32BE(at + 5);
    at += frameHeadLength + packet.readUIntBE(at, 3);
  }
  return 0;
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(frameHeadLength);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
