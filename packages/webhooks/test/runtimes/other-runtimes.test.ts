import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { SHIPPED } from '../signing/shipped-vectors.ts';
import { findOtherRuntimes, skipReason } from './other-runtimes.ts';

const source = (file: string): string => new URL(`../../src/${file}`, import.meta.url).href;
const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
const runtimes = findOtherRuntimes();
afterAll(() => runtimes.remove());

/**
 * Read by some runtimes when they start. Nobody listens there: what goes that way does not arrive.
 */
const PROXIES = {
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  NO_PROXY: '',
  no_proxy: '',
};

/**
 * Judges every vector, with headers in each shape and bodies as text and as bytes; prints `name:
 * outcome` lines.
 */
const VERIFY = `
import { generateSecret, isWebhookError, sign, verify } from '${source('signing/index.ts')}';
const codeOf = (error) => (isWebhookError(error) ? error.code : error instanceof TypeError ? 'secret_unusable' : String(error));
const { signatures, callbacks } = ${JSON.stringify(SHIPPED)};
for (const { name, x_webhook_signature, ...input } of signatures) {
  console.log(name + ': ' + ((await sign(input)) === x_webhook_signature));
}
const lower = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
for (const { name, secrets, headers, body, scheme, now, tolerance_seconds } of callbacks) {
  const shapes = [headers, lower(headers), new Headers(headers)];
  const bodies = [body, new TextEncoder().encode(body)];
  const outcomes = new Set();
  for (const shape of shapes) for (const raw of bodies) {
    const tolerance = tolerance_seconds === null ? {} : { toleranceSeconds: tolerance_seconds };
    const input = { secrets, headers: shape, body: raw, scheme, now: () => now * 1000, ...tolerance };
    outcomes.add(await verify(input).then(() => 'null', codeOf));
  }
  console.log(name + ': ' + [...outcomes].join());
}
console.log('secret: ' + generateSecret().length);
`;

const VERIFIED = [
  ...SHIPPED.signatures.map(({ name }) => `${name}: true`),
  ...SHIPPED.callbacks.map(({ name, reason }) => `${name}: ${reason}`),
  'secret: 38',
];

/** Delivers on loopback through the guard, where the allow list opens it and where it does not. */
const DELIVER = `
import { createServer } from 'node:http';
import { createEgressWith } from '${source('egress/egress.ts')}';
import { assertEgressGuard } from '${source('egress/egress-guard.ts')}';
import { openTcpSocket } from '${source('egress/connector.ts')}';
await assertEgressGuard();
const server = createServer((request, response) => response.writeHead(204).end());
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const opened = [];
const openSocket = (address, port) => {
  opened.push(address);
  if (address !== '127.0.0.1') throw new Error('only loopback is connected to');
  return openTcpSocket(address, port);
};
const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
const results = [];
for (const [host, allowedAddresses] of [['127.0.0.1', ['127.0.0.1']], ['a.example.com', ['127.0.0.1']], ['127.0.0.1', []], ['a.example.com', []]]) {
  const egress = createEgressWith({ openSocket }, { resolve, allowedAddresses });
  const result = await egress.send({ url: 'http://' + host + ':' + server.address().port + '/', headers: {}, body: '{}' });
  results.push(result.code ?? result.statusCode);
  await egress.close();
}
server.close();
server.closeAllConnections();
console.log(JSON.stringify({ results, opened }));
`;

it('signing verifies every vector where there are Web APIs alone, as in a worker', {
  timeout: 60_000,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'program.mjs');
  writeFileSync(file, VERIFY);
  const loader = fileURLToPath(new URL('./web-apis-only.mjs', import.meta.url));
  const options = ['--experimental-vm-modules', '--no-warnings', loader, pathToFileURL(file).href];
  const result = spawnSync(process.execPath, options, { cwd: packageFolder, encoding: 'utf8' });
  expect([result.stderr, result.status]).toEqual(['', 0]);
  expect(result.stdout.trim().split('\n')).toEqual(VERIFIED);
});

describe.each(runtimes.all)('$name', (runtime) => {
  const { name, program, run, runTrusted } = runtime;

  /** What the code prints. */
  function print(code: string, how: readonly string[]): string {
    if (program === undefined) throw new Error(`there is no ${name} on this machine`);
    const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'program.mjs');
    writeFileSync(file, code);
    // In the package's folder, whose package.json says what its sources may import.
    const result = spawnSync(program, [...how, file], {
      cwd: packageFolder,
      encoding: 'utf8',
      env: { ...process.env, ...PROXIES },
    });
    expect([result.stderr, result.status]).toEqual(['', 0]);
    return result.stdout;
  }

  const skipped = skipReason(runtime);
  const missing = skipped === undefined ? '' : ` (${skipped})`;

  it.skipIf(skipped !== undefined)(`signs and verifies every vector${missing}`, { timeout: 60_000 }, () => {
    expect(print(VERIFY, run).trim().split('\n')).toEqual(VERIFIED);
  });

  it.skipIf(skipped !== undefined)(
    `delivers through the egress guard, neither past it nor through a proxy${missing}`,
    { timeout: 60_000 },
    () => {
      expect(JSON.parse(print(DELIVER, runTrusted))).toEqual({
        results: [204, 204, 'blocked_address', 'blocked_address'],
        opened: ['127.0.0.1', '127.0.0.1'],
      });
    },
  );
});
