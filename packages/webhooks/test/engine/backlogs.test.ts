import { expect, it } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { createPortalApi } from '../../src/portal/portal-api.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { createTestEngine } from './engine.ts';
import { serveRecipient } from './recipient.ts';

const events = defineEvents({ 'order.paid': { label: 'Order paid', audience: 'tenant' } });
const NONE = { largest: [], others: 0 };

it('is told to the hook and the log, and shown by health, the overview, the API and the portal', async () => {
  const recipient = await serveRecipient((_, response) => response.writeHead(500).end());
  const warned: object[] = [];
  const warn = (fields: object, message: string) => message === 'webhook backlog' && warned.push(fields);
  const told: object[] = [];
  const loopback = ['127.0.0.1/32'];
  let passed = 0;
  const { webhooks, errors } = createTestEngine(memoryStorage(), {
    clock: () => Date.now() + passed,
    events,
    logger: { ...silentLogger, warn },
    retry: { delaysMs: [3_600_000] },
    egress: { allowedAddresses: loopback, dangerouslyAllowedTenantAddresses: loopback },
    maxPendingPerTenant: (tenant) => (tenant === 'globex' ? 100 : 3),
    onBacklog: (backlog) => void told.push(backlog),
  });
  expect([(await webhooks.health()).tenantBacklogs, (await webhooks.overview()).backlogs]).toEqual([
    NONE,
    NONE,
  ]);
  for (const tenant of ['acme', 'globex', null]) await webhooks.create({ url: recipient.url, tenant });
  for (const tenant of ['acme', 'globex'])
    for (let n = 0; n < 3; n += 1) await webhooks.dispatch('order.paid', {}, { tenant });
  // A process counts for the first time a minute after its start.
  passed = 60_000;
  await webhooks.start();
  await webhooks.drain();
  const largest = [{ pending: 6 }, { tenant: 'acme', pending: 3 }];
  expect([told, warned]).toEqual([largest, largest]);
  expect((await webhooks.health()).tenantBacklogs).toEqual({ largest, others: 0 });
  expect((await webhooks.overview()).backlogs).toEqual({ largest, others: 0 });
  const overviewOf = async (api: (request: Request) => Promise<Response>, path: string) => {
    const answer = await api(new Request(`http://localhost${path}/overview`));
    return ((await answer.json()) as { backlogs: object }).backlogs;
  };
  const admin = createAdminApi(webhooks, { authorize: () => ({ uid: '1', scopes: ['admin:webhooks'] }) });
  expect(await overviewOf(admin, '/api/admin/webhooks')).toEqual({ largest, others: 0 });
  const portal = (tenant: string) =>
    createPortalApi(webhooks, { authorize: () => ({ uid: '1', tenant, scopes: ['webhooks'] }) });
  expect(await overviewOf(portal('acme'), '/api/webhooks')).toEqual({ largest: [{ pending: 3 }] });
  expect(await overviewOf(portal('globex'), '/api/webhooks')).toEqual({ largest: [] });
  expect(errors).toEqual([]);
  await webhooks.close();
  await recipient.close();
});

it('needs a storage that keeps what was told, where it is to be told', async () => {
  const { stepBacklogs: _, ...storage } = memoryStorage();
  expect(() => createWebhooks({ storage, onBacklog() {} })).toThrow(
    new TypeError('onBacklog needs a storage that has the method stepBacklogs'),
  );
  const { webhooks, errors } = createTestEngine(storage, { maxPendingPerTenant: 1 });
  await webhooks.create({ url: 'https://93.184.215.14/' });
  await webhooks.dispatch('user.created', {});
  await webhooks.start();
  expect((await webhooks.health()).tenantBacklogs).toEqual(NONE);
  expect((await webhooks.overview()).backlogs).toEqual(NONE);
  await webhooks.close();
  expect(errors).toEqual([]);
  expect(() => createWebhooks({ storage, maxPendingPerTenant: 0 })).toThrow('maxPendingPerTenant');
});
