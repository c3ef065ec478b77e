import { FAILURE_TITLES } from '../../src/panel/texts/failure-texts.ts';
import { generateSecret } from '../../src/signing/secret.ts';
import { changing } from '../../src/storage/changed-state.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { RESULT_RULES } from '../../src/storage/result-rules.ts';
import type { WebhookStorage } from '../../src/storage/storage.ts';

const WEBHOOKS = 60;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Every reason that a delivery fails for, those of HTTP by some of their statuses. */
const FAILURES = [
  ...Object.keys(FAILURE_TITLES).filter((code) => code !== 'http' && code !== 'deferred'),
  ...['http_400', 'http_404', 'http_410', 'http_429', 'http_500', 'http_503'],
];
const NAMES = [
  '',
  'Warehouse',
  'Ünïcödé & Söhne',
  '倉庫の通知',
  'مستودع الطلبات',
  '🚚 Deliveries',
  'x'.repeat(100),
];
const ABOUT = ['', 'Ships what was paid', 'Zeigt jede Änderung an den Bestellungen des Tages an, '.repeat(4)];
const HUNDRED = Array.from({ length: 100 }, (_, n) => `area${n}.some-entity.*`);

/**
 * Sixty webhooks: long URLs, texts of other scripts, a hundred patterns, customers, every level,
 * and every reason for a failure.
 *
 * @param texts origin of every URL, where nothing is sent, for no delivery is pending; names and
 *   descriptions, in turn
 */
export async function seededStorage({
  origin = 'http://127.0.0.1:9',
  names = NAMES,
  about = ABOUT,
} = {}): Promise<WebhookStorage> {
  const storage = memoryStorage();
  const createdAt = new Date(Date.now() - 48 * HOUR_MS).toISOString();
  for (let n = 0; n < WEBHOOKS; n += 1) {
    const path = n % 4 === 0 ? 'a-rather-long-segment/'.repeat(8) : 'services/T0123456789/';
    const { id } = await storage.createWebhook({
      url: `${origin}/${path}incoming/${n}`,
      secret: generateSecret(),
      name: names[n % names.length] ?? '',
      description: about[n % about.length] ?? '',
      events: n === WEBHOOKS - 1 ? HUNDRED : n % 3 === 0 ? ['*'] : ['order.*', 'user.created'],
      isActive: true,
      createdBy: 7,
      createdByUid: '7',
      createdAt,
      ...(n % 5 === 0 && { tenant: `customer-${n}` }),
    });
    const error = FAILURES[n % FAILURES.length] ?? '';
    // A third is healthy, a third degraded, and the rest is down.
    const ended = n % 12 === 9 ? yesterdayEvening() : Date.now() - ((n * 7) % 50) * MINUTE_MS;
    if (n % 3 !== 2) await endOne(storage, id, '', ended);
    for (let failures = n % 3 === 0 ? 0 : 3; failures > 0; failures -= 1)
      await endOne(storage, id, error, ended);
    if (n % 3 === 1) await endOne(storage, id, '', ended);
    if (n % 11 === 3)
      await storage.changeWebhook(id, changing({ isActive: false, updatedAt: new Date().toISOString() }));
  }
  return storage;
}

/** A time of the longest text among those of the last days. */
function yesterdayEvening(): number {
  const time = new Date();
  time.setDate(time.getDate() - 1);
  return time.setHours(22, 42, 0, 0);
}

/** Dispatches one event to a webhook, and ends its delivery with that error, or as a success. */
async function endOne(
  storage: WebhookStorage,
  webhookId: number,
  error: string,
  ended: number,
): Promise<void> {
  const createdAt = new Date(ended).toISOString();
  const target = { webhookId };
  await storage.recordDispatches([{ event: 'order.created', payload: '{"n":1}', createdAt, target }]);
  const claims = await storage.claimDueDeliveries({
    now: Date.now(),
    limit: 1,
    leaseMs: HOUR_MS,
    maxAttempts: 4,
    claimToken: 'seed',
    isFromStart: true,
    choose: () => new Map([[webhookId, 1]]),
  });
  const statusCode = error === '' ? 204 : Number(/\d+$/.exec(error)?.[0] ?? 0);
  await storage.recordAttempts(
    claims.map(({ id, claimToken, webhook, attempt }) => ({
      id,
      claimToken,
      status: error === '' ? 'success' : 'failed',
      statusCode,
      responseBody: '',
      error,
      attemptLog: [{ attempt, startedAt: createdAt, durationMs: 35, statusCode, error, responseBody: '' }],
      activation: webhook.activation,
      now: ended,
      retryInMs: 0,
    })),
    RESULT_RULES,
  );
}
