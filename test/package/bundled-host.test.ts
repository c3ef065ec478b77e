import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Installation, installPackages } from './installed-packages.ts';

/** An application that is bundled with its dependencies before it runs. */
const HOST = `
import { createWebhooks, memoryStorage } from '@acme/webhooks';
import { createAdminPanel } from '@acme/webhooks/admin';
import { createTestReceiver } from '@acme/webhooks/testing';
const receiver = await createTestReceiver();
const webhooks = createWebhooks({ storage: memoryStorage(), egress: { allowedAddresses: ['127.0.0.1/32'] } });
await webhooks.start();
await webhooks.create({ url: receiver.url });
await webhooks.dispatch('user.created', { id: 42 });
await webhooks.drain();
console.log('delivered ' + receiver.requests.length);
await webhooks.close();
await receiver.close();
const handler = createAdminPanel({ apiPath: '/api/admin/webhooks' });
const page = await (await handler(new Request('http://127.0.0.1/admin/webhooks'))).text();
const script = await handler(new Request('http://127.0.0.1' + /src="([^"]+)"/.exec(page)[1]));
console.log('the panel has a script: ' + script.status);
`;

let installation: Installation;
beforeAll(() => {
  installation = installPackages({ peers: false });
  writeFileSync(join(installation.folder, 'host.mjs'), HOST);
});
afterAll(() => installation.remove());

it.each([
  ['whole', { splitting: false }],
  ['split', { splitting: true }],
  ['minified', { splitting: true, minify: true }],
])('an application that esbuild has bundled delivers, and has a panel: %s', async (name, options) => {
  const outdir = join(installation.folder, name);
  await build({
    entryPoints: [join(installation.folder, 'host.mjs')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    ...options,
  });
  const printed = execFileSync(process.execPath, [join(outdir, 'host.mjs')], { encoding: 'utf8' });
  expect(printed).toBe('delivered 1\nthe panel has a script: 200\n');
});
