import { expect, it } from 'vitest';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import type { AuditEvent } from '../../src/admin/audit.ts';
import { defineEvents } from '../../src/events/catalog.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';
import { failPending } from '../admin/fail-pending.ts';
import { createTestEngine } from './engine.ts';
import { startRecipient } from './recipient.ts';

const events = defineEvents({ 'order.paid': { label: 'Order paid', audience: 'tenant' } });
const URL_OK = 'https://93.184.215.14/';

/** A logger that keeps what it is given. */
function keptLog() {
  const lines: { readonly message: string; readonly fields: object }[] = [];
  const log = (fields: object, message: string) => void lines.push({ message, fields });
  return { lines, logger: { debug: log, info: log, warn: log, error: log } };
}

it('names the tenant to hooks and logs, and nobody where the webhook is the host’s own', async () => {
  const recipient = await startRecipient((_, response) => response.writeHead(410).end());
  const { lines, logger } = keptLog();
  const engine = createTestEngine(memoryStorage(), {
    events,
    logger,
    retry: { maxAttempts: 1 },
    disableOnGone: true,
    egress: { allowedAddresses: ['127.0.0.1/32'], dangerouslyAllowedTenantAddresses: ['127.0.0.1/32'] },
  });
  await engine.webhooks.start();
  for (const tenant of ['acme', null]) {
    const { id } = await engine.webhooks.create({ url: recipient.url, tenant });
    await engine.webhooks.dispatch('order.paid', {}, { tenant: tenant ?? null });
    await engine.ended(id);
    await engine.webhooks.delete(id);
  }
  await engine.webhooks.close();
  await recipient.close();
  for (const told of [engine.attempts, engine.failed, engine.disabled]) {
    expect(told.map((report) => 'tenant' in report && report.tenant)).toEqual(['acme', false]);
  }
  for (const message of ['webhook attempt recorded', 'webhook delivery failed', 'webhook disabled']) {
    const fields = lines.filter((line) => line.message === message).map((line) => line.fields);
    expect(fields.map((report) => 'tenant' in report && report.tenant)).toEqual(['acme', false]);
  }
  expect(JSON.stringify(engine.webhooks.stats())).not.toContain('acme');
});

it('names the tenant of what is down, of what expired and of what was sent again', async () => {
  let now = Date.parse('2026-11-20T04:00:00Z');
  const storage = memoryStorage();
  const { lines, logger } = keptLog();
  const failed: object[] = [];
  const clock = () => now;
  const onDeliveryFailed = (delivery: object) => void failed.push(delivery);
  const webhooks = createWebhooks({ storage, clock, logger, events, onDeliveryFailed, retentionDays: 30 });
  const { id } = await webhooks.create({ url: URL_OK, tenant: 'acme' });
  for (let n = 0; n < 3; n += 1) await webhooks.dispatch('order.paid', {}, { tenant: 'acme' });
  await failPending(storage, 3);
  expect(await webhooks.listFailing()).toMatchObject([{ webhookId: id, tenant: 'acme' }]);
  await webhooks.recover({ webhookId: id, since: '2026-01-01T00:00:00Z' });
  await webhooks.dispatch('user.created', {}, { tenant: 'acme' });
  const named = lines.filter(({ fields }) => 'tenant' in fields && fields.tenant === 'acme');
  expect(named.map(({ message }) => message)).toEqual([
    'webhook deliveries reopened',
    expect.stringContaining('is not for tenants'),
  ]);
  now += 400 * 86_400_000;
  expect(await webhooks.purgeDeliveries()).toMatchObject({ expired: 3 });
  expect(failed).toMatchObject(Array(3).fill({ tenant: 'acme', error: 'expired' }));
});

it('names the tenant in audit events, that of a removed webhook, too', async () => {
  const told: AuditEvent[] = [];
  const webhooks = createWebhooks({ storage: memoryStorage(), events });
  const authorize = () => ({ uid: '1', scopes: ['admin:webhooks'] });
  const api = createAdminApi(webhooks, { authorize, onAudit: (event) => void told.push(event) });
  const call = async (method: string, path: string, body?: object) => {
    const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const url = `http://localhost/api/admin/webhooks${path}`;
    return (await api(new Request(url, { method, ...sent }))).status;
  };
  const acme = await webhooks.create({ url: URL_OK, tenant: 'acme' });
  const other = await webhooks.create({ url: URL_OK, tenant: 'acme' });
  const { id: ofHost } = await webhooks.create({ url: URL_OK });
  expect(await call('POST', `/${acme.id}/test`)).toBe(202);
  expect(await call('PUT', `/${acme.id}`, { description: 'x' })).toBe(200);
  expect(await call('DELETE', `/${acme.id}`)).toBe(204);
  expect(await call('DELETE', `/${acme.id}`)).toBe(404);
  expect(await call('POST', '/bulk', { action: 'delete', webhooks: [other.id, ofHost] })).toBe(200);
  expect(told.map(({ action, tenant }) => `${action} ${tenant}`)).toEqual([
    'webhook.tested acme',
    'webhook.updated acme',
    'webhook.deleted acme',
    'webhook.deleted acme',
    'webhook.deleted undefined',
  ]);
});
