import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AuditEvent } from '../../src/admin/audit.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { ADMIN, engineOn, HOOK_URL, startAdmin } from './admin-harness.ts';
import { failPending } from './fail-pending.ts';
import { everyRequest } from './routes/every-request.ts';

const NOW = Date.parse('2026-11-20T04:10:00.123Z');
const HEX = '0123456789abcdef0123456789abcdef';

function startAudited(onAudit?: (event: AuditEvent) => void | Promise<void>) {
  const events: AuditEvent[] = [];
  const logged: unknown[] = [];
  const log = (fields: object, message: string) => void logged.push([message, fields]);
  const storage = memoryStorage();
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  onTestFinished(() => void vi.useRealTimers());
  const started = startAdmin({
    storage,
    logger: { debug: log, info: log, warn: log, error: log },
    onAudit: onAudit ?? ((event) => void events.push(event)),
  });
  return { ...started, storage, events, logged };
}

describe('the audit hook', () => {
  it('is told of every change: who did what to which webhook, and when', async () => {
    const { call, events, storage, webhooks } = startAudited();
    const by = { actor: ADMIN, at: '2026-11-20T04:10:00.123Z' };
    const target = { webhookId: 1 };
    await call('POST', '', { body: { url: HOOK_URL, description: 'Billing' } });
    expect(events.splice(0)).toStrictEqual([{ ...by, action: 'webhook.created', target }]);
    await call('PUT', '/1', { body: { description: 'x', is_active: true } });
    expect(events.splice(0)).toStrictEqual([
      { ...by, action: 'webhook.updated', target, fields: ['description', 'is_active'] },
    ]);
    const { delivery_id: deliveryId } = (await call('POST', '/1/test')).json;
    const ofDelivery = { webhookId: 1, deliveryId };
    expect(events.splice(0)).toStrictEqual([
      { ...by, action: 'webhook.tested', target: ofDelivery, event: 'webhook.test' },
    ]);
    await failPending(storage, 10);
    expect((await call('POST', `/1/deliveries/${deliveryId}/redeliver`)).status).toBe(202);
    expect(events.splice(0)).toStrictEqual([{ ...by, action: 'delivery.redelivered', target: ofDelivery }]);
    await webhooks.dispatch('user.created', {});
    const recover = () => call('POST', '/1/recover', { body: { since: '2026-01-01T00:00:00Z' } });
    expect((await recover()).json).toMatchObject({ deliveries: 0 });
    expect(events).toStrictEqual([]);
    await failPending(storage, 10);
    await recover();
    expect(events.splice(0)).toStrictEqual([{ ...by, action: 'webhook.recovered', target, deliveries: 1 }]);
    await call('POST', '/1/rotate-secret');
    expect(events.splice(0)).toStrictEqual([{ ...by, action: 'webhook.secret_rotated', target }]);
    await call('DELETE', '/1');
    expect(events.splice(0)).toStrictEqual([{ ...by, action: 'webhook.deleted', target }]);
  });

  it('is told once by each route that changes something, and by no other', async () => {
    const { call, events, storage, webhooks } = startAudited();
    await webhooks.create({ url: HOOK_URL });
    const { deliveryId } = await webhooks.test(1);
    for (const { name, method, path, body } of everyRequest(deliveryId)) {
      // A recovery leaves tests out.
      if (name === 'recover') await webhooks.dispatch('user.created', {});
      await failPending(storage, 10);
      // The change of a selection activates: only a paused webhook is changed by it.
      await webhooks.update(1, { isActive: name !== 'changeWebhooks' });
      const answer = await call(method, path, body === undefined ? {} : { body });
      expect(answer.status).toBeLessThan(300);
      expect([name, events.splice(0).length]).toEqual([name, method === 'GET' ? 0 : 1]);
    }
  });

  it('is not told of what changes nothing', async () => {
    const { call, events, webhooks } = startAudited();
    await webhooks.create({ url: HOOK_URL });
    for (const [method, path, options] of [
      ['GET', '', {}],
      ['GET', '/1', {}],
      ['GET', '/openapi.json', {}],
      ['HEAD', '/1', {}],
      ['OPTIONS', '/1', {}],
      ['PUT', '/1', { body: {} }],
      ['POST', '/1/recover', { body: { since: '2026-01-01T00:00:00Z', dry_run: true } }],
      ['POST', '/1/recover', { body: { since: '2026-01-01T00:00:00Z' } }],
      ['POST', '', { body: { url: 'http://127.0.0.1/' } }],
      ['POST', '', { body: { url: HOOK_URL }, actor: null }],
      ['POST', '', { body: { url: HOOK_URL }, headers: { 'sec-fetch-site': 'cross-site' } }],
      ['DELETE', '/2', {}],
      ['POST', `/1/deliveries/${HEX}/redeliver`, {}],
    ] as const) {
      await call(method, path, options);
    }
    expect(events).toEqual([]);
  });

  it('is told neither secrets nor what a request held', async () => {
    const { call, events } = startAudited();
    const { json } = await call('POST', '', { body: { url: HOOK_URL, description: 'hunter2' } });
    await call('PUT', '/1', {
      body: { description: 'hunter2' },
      headers: { authorization: 'Bearer hunter2' },
    });
    const rotated = await call('POST', '/1/rotate-secret');
    expect(events).toHaveLength(3);
    const text = JSON.stringify(events);
    for (const secret of [json.secret, rotated.json.secret, 'hunter2', 'hooks.example.com']) {
      expect(text).not.toContain(secret);
    }
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('audit log is full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('audit log is full'))],
  ])('that %s is logged and changes nothing', async (_, onAudit) => {
    const { call, logged } = startAudited(onAudit);
    expect((await call('POST', '', { body: { url: HOOK_URL } })).status).toBe(201);
    expect((await call('GET', '/1')).status).toBe(200);
    const entry = ['a webhook hook failed', { error: { message: 'audit log is full' }, hook: 'onAudit' }];
    await expect.poll(() => logged).toMatchObject([entry]);
  });

  it('that never settles holds up no answer', async () => {
    const { call } = startAudited(() => new Promise(() => {}));
    expect((await call('POST', '', { body: { url: HOOK_URL } })).status).toBe(201);
  });

  it.each([7, 'log', {}])('cannot be %j', (onAudit) => {
    expect(() => startAdmin({ webhooks: engineOn(memoryStorage()), onAudit: onAudit as never })).toThrow(
      TypeError,
    );
  });
});
