import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { onTestFinished } from 'vitest';

/** The types of record that are asked for (RFC 1035 section 3.2.2, RFC 3596 section 2.1). */
const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

/** Codes of answers without records (RFC 1035 section 4.1.1). */
const CODES = { NODATA: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** What a name server says about one question: addresses, why there are none, or nothing at all. */
export type Reply = readonly string[] | keyof typeof CODES | 'silence';

/**
 * A name server on loopback: where it listens, and the questions it was asked, as `A
 * a.example.com`.
 */
export interface NameServer {
  readonly address: string;
  readonly questions: string[];
}

/** Starts a name server on loopback that answers over UDP; closed when the test ends. */
export async function nameServer(replyTo: (question: string) => Reply): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { question, end } = readQuestion(query);
    questions.push(question);
    const reply = replyTo(question);
    if (reply !== 'silence') socket.send(answer(query, end, reply), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

/** The address of a name server that is not there. */
export async function absentNameServer(): Promise<string> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return `127.0.0.1:${port}`;
}

function readQuestion(query: Buffer): { readonly question: string; readonly end: number } {
  const labels: string[] = [];
  let position = 12;
  for (let length = query.readUInt8(position); length > 0; length = query.readUInt8(position)) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length));
    position += 1 + length;
  }
  const type = TYPES[query.readUInt16BE(position + 1)] ?? 'other';
  return { question: `${type} ${labels.join('.')}`, end: position + 5 };
}

function answer(query: Buffer, end: number, reply: readonly string[] | keyof typeof CODES): Buffer {
  const [code, addresses] = typeof reply === 'string' ? [CODES[reply], []] : [0, reply];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...addresses.map(record)]);
}

/**
 * One record about the name of the question, which it points to (RFC 1035 section 4.1.4), valid for
 * 0 s.
 */
function record(address: string): Buffer {
  const [type, data] = isIPv4(address) ? [1, address.split('.').map(Number)] : [28, ipv6Bytes(address)];
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length, ...data]);
}

/** Of an IPv6 address with all its eight groups. */
function ipv6Bytes(address: string): number[] {
  return address.split(':').flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
