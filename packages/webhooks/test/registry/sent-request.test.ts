import { describe, expect, it } from 'vitest';
import { sentRequest } from '../../src/registry/sent-request.ts';
import type { AttemptLogEntry, Delivery } from '../../src/storage/delivery-record.ts';

const settings = { standardHeaders: true, userAgent: 'acme-webhooks/1.2.3' };

const entry = (attempt: number, error = 'http_503'): AttemptLogEntry => ({
  attempt,
  startedAt: `2026-11-20T04:1${attempt}:00.900Z`,
  durationMs: 5,
  statusCode: 0,
  error,
  responseBody: '',
});

function delivery(...attemptLog: AttemptLogEntry[]): Delivery {
  const times = { createdAt: '2026-11-20T04:10:00.123Z', completedAt: null, nextAttemptAt: null };
  const outcome = {
    status: 'failed',
    statusCode: 0,
    responseBody: '',
    error: '',
    attempts: 2,
    deferrals: 0,
  } as const;
  const names = { id: 1, webhookId: 1, deliveryId: '0a'.repeat(16), event: 'user.created' };
  return { ...names, ...outcome, ...times, payload: '{}', attemptLog };
}

describe('the request of a delivery', () => {
  it('has the headers of the last attempt, and names the signatures that it leaves out', () => {
    expect(sentRequest(delivery(entry(1), entry(2)), settings)).toEqual({
      attempt: 2,
      headers: {
        Accept: '*/*',
        'Content-Type': 'application/json',
        'User-Agent': 'acme-webhooks/1.2.3',
        'X-Webhook-ID': '0a'.repeat(16),
        'X-Webhook-Timestamp': '1795147800',
        'X-Webhook-Event': 'user.created',
        'X-Webhook-Attempt': '2',
        'webhook-id': '0a'.repeat(16),
        'webhook-timestamp': '1795147920',
      },
      omittedHeaders: ['X-Webhook-Signature', 'webhook-signature'],
    });
  });

  it('has the trace that the attempt carried', () => {
    const traced = { ...entry(1), traceparent: 'a' };
    expect(sentRequest(delivery(traced), settings)?.headers).toMatchObject({ traceparent: 'a' });
  });

  it('has one header set where the other is turned off', () => {
    const sent = sentRequest(delivery(entry(1)), { ...settings, standardHeaders: false });
    expect(Object.keys(sent?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    expect(sent?.omittedHeaders).toEqual(['X-Webhook-Signature']);
  });

  it('names the signature of the previous secret where that signed its attempt', () => {
    const twice = { ...entry(1), hasPreviousSignature: true };
    expect(sentRequest(delivery(twice), settings)?.omittedHeaders).toEqual([
      'X-Webhook-Signature',
      'X-Webhook-Signature-Previous',
      'webhook-signature',
    ]);
    expect(sentRequest(delivery(twice, entry(2)), settings)?.omittedHeaders).toHaveLength(2);
  });

  it('is that of the last attempt which sent one', () => {
    const log = [entry(1), entry(2, 'worker_lost'), entry(3, 'webhook_inactive')];
    expect(sentRequest(delivery(...log), settings)).toMatchObject({ attempt: 1 });
  });

  it.each(['blocked_address', 'connection_refused', 'dns_error', 'tls_error', 'url_not_public', 'closed'])(
    'is null after %s alone, where no request left',
    (error) => {
      expect(sentRequest(delivery(entry(1, error)), settings)).toBeNull();
    },
  );

  it('is null before the first attempt', () => {
    expect(sentRequest(delivery(), settings)).toBeNull();
  });
});
