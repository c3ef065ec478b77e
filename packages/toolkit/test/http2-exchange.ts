import { once } from 'node:events';
import { createServer, type Http2ServerRequest } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const SETTINGS = 4;
const HEADERS = 1;
const END_STREAM_AND_HEADERS = 5;

/** RFC 9113 section 4.1. */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A field without indexing and Huffman coding (RFC 7541 section 6.2.2), below 127 bytes. */
function literalField([name, value]: readonly [string, string]): Buffer {
  const text = (from: string) => Buffer.from([from.length, ...Buffer.from(from)]);
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

/**
 * Returns what a server of Node's sees of a GET over HTTP/2 with these fields, also those that a
 * client of Node's refuses to send twice.
 */
export async function receivedOverHttp2(
  fields: readonly (readonly [string, string])[],
): Promise<Http2ServerRequest> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  const pseudo = [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':path', '/'],
    [':authority', 'a'],
  ] as const;
  const block = Buffer.concat([...pseudo, ...fields].map(literalField));
  socket.write(PREFACE);
  socket.write(frame(SETTINGS, 0, 0, Buffer.alloc(0)));
  socket.write(frame(HEADERS, END_STREAM_AND_HEADERS, 1, block));
  const [request] = await once(server, 'request');
  return request;
}
