import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../../toolkit/test/loopback.ts';
import { createAdminApi } from '../../../src/admin/admin-api.ts';
import { mount } from '../../../src/express/mount.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { createTestEngine } from '../../engine/engine.ts';
import { startRecipient } from '../../engine/recipient.ts';
import { OPENAPI_FILE } from './openapi-file.ts';

const modules = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));

/**
 * What somebody writes who has nothing but the document: every operation, each answer used by its
 * type.
 */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './schema.js';

const [origin = '', recipient = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: origin, headers: { authorization: 'Bearer key' } });

function must<T>(data: T | undefined, error: unknown): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
function assert(fact: boolean, what: string): asserts fact {
  if (!fact) throw new Error(what);
}

const url = '/api/admin/webhooks';
const created = await client.POST(url, { body: { url: recipient, events: ['user.*'] } });
const hook: components['schemas']['WebhookWithSecret'] = must(created.data, created.error);
assert(hook.secret.startsWith('whsec_'), 'a secret');
assert(created.response.headers.get('location') === url + '/' + hook.id, 'a location');
const path = { id: hook.id };

const listed = await client.GET(url, { params: { query: { limit: 10, active: true, sort: 'url' } } });
assert(must(listed.data, listed.error).webhooks[0]?.last_delivery === null, 'no delivery yet');

const tested = await client.POST('/api/admin/webhooks/{id}/test', { params: { path } });
const { delivery_id } = must(tested.data, tested.error);
const at = { path: { id: hook.id, delivery_id } };

let delivery: components['schemas']['Delivery'] | undefined;
for (let tries = 0; tries < 3_000 && (delivery === undefined || delivery.status === 'pending'); tries += 1) {
  await new Promise((resolve) => setTimeout(resolve, 20));
  const got = await client.GET('/api/admin/webhooks/{id}/deliveries/{delivery_id}', { params: at });
  delivery = must(got.data, got.error);
}
assert(delivery?.status === 'success' && delivery.attempt_log[0]?.status_code === 204, 'delivered');

const again = await client.POST('/api/admin/webhooks/{id}/deliveries/{delivery_id}/redeliver', { params: at });
assert(must(again.data, again.error).status === 'pending', 'on its way again');

const history = await client.GET('/api/admin/webhooks/{id}/deliveries', {
  params: { path, query: { event: 'webhook.test', limit: 1 } },
});
assert(must(history.data, history.error).next_cursor === null, 'one page');

const rotated = await client.POST('/api/admin/webhooks/{id}/rotate-secret', { params: { path } });
assert(must(rotated.data, rotated.error).secret !== hook.secret, 'another secret');

const recovered = await client.POST('/api/admin/webhooks/{id}/recover', {
  params: { path },
  body: { since: '2026-01-01T00:00:00Z', dry_run: true },
});
assert(must(recovered.data, recovered.error).deliveries === 0, 'nothing failed');

const activity = await client.GET('/api/admin/webhooks/{id}/activity', {
  params: { path, query: { interval: 'hour' } },
});
assert(must(activity.data, activity.error).activity.length === 24, 'a day of hours');

const explained = await client.GET('/api/admin/webhooks/explain', { params: { query: { event: 'user.created' } } });
assert(must(explained.data, explained.error).webhooks[0]?.reason === 'subscribed', 'subscribed');

const events = await client.GET('/api/admin/webhooks/events');
assert(must(events.data, events.error).events.some(({ name }) => name === 'user.created'), 'events');

const updated = await client.PUT('/api/admin/webhooks/{id}', { params: { path }, body: { is_active: false } });
assert(must(updated.data, updated.error).is_active === false, 'inactive');

const detail = await client.GET('/api/admin/webhooks/{id}', { params: { path } });
assert(must(detail.data, detail.error).stats.total === 1, 'counted');

const refused = await client.POST('/api/admin/webhooks/{id}/test', { params: { path } });
assert(refused.error?.code === 'webhook_inactive', 'the code of the problem');

const invalid = await client.POST(url, { body: { url: 'http://127.0.0.1:1/', events: [] } });
assert(invalid.error?.errors?.[0]?.field === 'events', 'the refused field');

// @ts-expect-error: a webhook needs a URL
await client.POST(url, { body: { events: ['*'] } });
// @ts-expect-error: a parameter that the list has not
await client.GET(url, { params: { query: { page: 2 } } });

const removed = await client.DELETE('/api/admin/webhooks/{id}', { params: { path } });
assert(removed.response.status === 204 && removed.error === undefined, 'gone');

const document = await client.GET('/api/admin/webhooks/openapi.json');
assert(must(document.data, document.error).openapi === '3.1.0', 'the document');

// What a recipient receives has types, too.
type Callback = webhooks['user.created']['post']['requestBody']['content']['application/json'];
const callback: Callback = { type: 'user.created', timestamp: '2026-11-20T04:10:00.123Z', data: { id: 7 } };
console.log('done ' + callback.type);
`;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generated-client-'));
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'schema.d.ts'), astToString(await openapiTS(OPENAPI_FILE)));
  writeFileSync(join(folder, 'client.ts'), PROGRAM);
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    outDir: 'out',
    rootDir: '.',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a client generated from the document compiles, and works against the API over HTTP', async () => {
  const tsc = spawnSync(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  expect(tsc.stdout).toBe('');

  const recipient = await startRecipient();
  const { webhooks } = createTestEngine(memoryStorage());
  onTestFinished(async () => {
    await webhooks.close();
    await recipient.close();
  });
  await webhooks.start();
  const authorize = ({ headers }: Request) =>
    headers.get('authorization') === 'Bearer key' ? { uid: '1', scopes: ['admin:webhooks'] } : null;
  const { origin } = await listen(
    express().use(express.json(), mount(createAdminApi(webhooks, { authorize }))),
  );

  const client = spawn(process.execPath, [join(folder, 'out/client.js'), origin, recipient.url]);
  onTestFinished(() => void client.kill('SIGKILL'));
  const output: Buffer[] = [];
  for (const stream of [client.stdout, client.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = await once(client, 'close');
  expect([code, String(Buffer.concat(output))]).toEqual([0, 'done user.created\n']);
}, 240_000);
