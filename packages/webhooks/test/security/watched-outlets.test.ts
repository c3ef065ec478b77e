import { expect, it } from 'vitest';
import { takeSightings } from '../../../../test/secrets/outlets.ts';
import { createAdminApi } from '../../src/admin/admin-api.ts';
import { createAudit } from '../../src/admin/audit.ts';
import { WebhookError } from '../../src/errors.ts';
import { createNotifier } from '../../src/hooks/notifier.ts';
import { nonThrowingLogger, silentLogger } from '../../src/logging/logger.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../src/webhooks.ts';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

it('every logger and hook of the suite is watched for secrets, also where a test gives none', () => {
  expect(takeSightings()).toEqual([]);
  const logger = nonThrowingLogger(silentLogger);
  logger.debug({ error: { cause: { detail: SECRET } } }, 'x');
  logger.info({ error: new Error('x', { cause: Object.assign(new Error('y'), { sql: SECRET }) }) }, 'x');
  logger.warn({}, SECRET);
  logger.error({ error: new AggregateError([new Error(SECRET)]) }, 'x');
  const at = (outlet: string) => `a signing secret at ${outlet}`;
  expect(takeSightings()).toEqual(['logger.debug', 'logger.info', 'logger.warn', 'logger.error'].map(at));

  const notifier = createNotifier({}, logger);
  notifier.error('claim', new WebhookError('storage_unavailable', 'x', { cause: { detail: SECRET } }));
  const event = { webhookId: 1, deliveryId: '0', event: SECRET };
  notifier.deliveryFailed({ ...event, attempts: 1, statusCode: 0, error: 'timeout' });
  notifier.webhookDisabled({ ...event, reason: 'gone', disabledAt: '' });
  expect(takeSightings()).toEqual(
    ['onError', 'logger.warn', 'onDeliveryFailed', 'logger.warn', 'onWebhookDisabled'].map(at),
  );

  const audit = createAudit({ onAudit: () => {}, clock: Date.now, logger });
  audit({ uid: SECRET, scopes: [] }, { action: 'webhook.deleted', target: { webhookId: 1 } });
  console.log('%s', SECRET);
  expect(takeSightings()).toEqual(expect.arrayContaining([at('onAudit'), at('console.log')]));
});

it('every logger and hook of an engine and of an admin API is watched, too', async () => {
  const storage = {
    ...memoryStorage(),
    recordDispatches: () => Promise.reject(new WebhookError('storage_unavailable', SECRET)),
  };
  const webhooks = createWebhooks({ storage });
  await expect(webhooks.dispatch('user.created', {})).rejects.toMatchObject({ message: SECRET });
  expect(takeSightings()).toEqual(['a signing secret at onError']);

  const api = createAdminApi(webhooks, { authorize: () => ({ uid: SECRET, scopes: ['admin:webhooks'] }) });
  const { id } = await storage.createWebhook({
    url: 'https://hooks.example.com/',
    secret: SECRET,
    description: '',
    events: ['*'],
    isActive: true,
    createdBy: 0,
    createdByUid: null,
    createdAt: '2026-11-20T04:10:00.123Z',
  });
  const request = new Request(`http://localhost/api/admin/webhooks/${id}`, { method: 'DELETE' });
  expect((await api(request)).status).toBe(204);
  expect(takeSightings()).toEqual(['a signing secret at onAudit']);
});
