import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { rawRecipient } from '../egress/loopback.ts';

const REQUESTS_PER_FLOOD = 5;
const MAX_GROWTH_MIB = 256;

/** What each recipient writes once, and then without end. */
const FLOODS: Readonly<Record<string, readonly [start: string, flood: string]>> = {
  body: ['HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(16_384)],
  'body of a failure': ['HTTP/1.1 500 No\r\n\r\n', 'a'.repeat(16_384)],
  'body in chunks of one byte': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    '1\r\na\r\n'.repeat(3000),
  ],
  'extension of a chunk': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'a'.repeat(16_384)],
  headers: ['HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'.repeat(2000)],
  header: ['HTTP/1.1 200 OK\r\nX-A: ', 'a'.repeat(16_384)],
  'status line': ['HTTP/1.1 200 ', 'a'.repeat(16_384)],
  'interim responses': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500)],
};

/**
 * In a process of its own, so that what it needs is what the deliveries need and not what the
 * recipients do.
 */
const DELIVER = `
import { createEgress } from '${new URL('../../src/egress/egress.ts', import.meta.url).href}';
const egress = createEgress({ allowedAddresses: ['127.0.0.1'], timeoutMs: 50_000 });
const peakMib = () => process.resourceUsage().maxRSS / 1024;
const send = (url) => egress.send({ url, headers: {}, body: '{}', tenant: '' });
await send(process.argv.at(-1));
const before = peakMib();
const results = await Promise.all(process.argv.slice(2, -1).map(send));
const outcomes = results.map((result) => result.statusCode ?? result.code);
const after = await send(process.argv.at(-1));
await egress.close();
console.log(JSON.stringify({ outcomes, healthy: after.statusCode, growthMib: peakMib() - before }));
`;

it('many endless answers at once end early, need little memory, and leave the healthy recipient alone', async () => {
  const recipients = await Promise.all(
    Object.values(FLOODS).map(([start, flood]) =>
      rawRecipient((socket) => {
        socket.once('data', () => {
          socket.write(start);
          pump(socket, flood);
        });
        socket.on('drain', () => pump(socket, flood));
      }),
    ),
  );
  const healthy = await rawRecipient((socket) =>
    socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n')),
  );
  const urls = recipients.flatMap(({ url }) => Array.from({ length: REQUESTS_PER_FLOOD }, () => url));
  const { outcomes, healthy: status, growthMib } = await run([...urls, healthy.url]);
  const expected = [
    200,
    500,
    200,
    200,
    'invalid_response',
    'invalid_response',
    'invalid_response',
    'invalid_response',
  ];
  expect(outcomes).toEqual(
    expected.flatMap((each) => Array.from({ length: REQUESTS_PER_FLOOD }, () => each)),
  );
  expect(status).toBe(204);
  expect(growthMib).toBeLessThan(MAX_GROWTH_MIB);
}, 240_000);

async function run(
  urls: readonly string[],
): Promise<{ outcomes: unknown[]; healthy: unknown; growthMib: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'deliver.mts');
  writeFileSync(file, DELIVER);
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), file, ...urls]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const output: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  await once(child, 'close');
  expect(output.stderr).toBe('');
  return JSON.parse(output.stdout);
}

function pump(socket: Socket, flood: string): void {
  while (!socket.destroyed && socket.write(flood));
}
