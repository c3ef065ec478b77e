import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, vi } from 'vitest';
import { WebhookError } from '../../src/errors.ts';
import { createNotifier } from '../../src/hooks/notifier.ts';
import { type Logger, nonThrowingLogger, silentLogger } from '../../src/logging/logger.ts';

const delivery = {
  webhookId: 1,
  deliveryId: '0',
  event: 'a.b',
  attempts: 4,
  statusCode: 500,
  error: 'http_500',
};

describe("a host's hooks and logger", () => {
  it('are told an error of the engine, and the log what it may keep of it', () => {
    const logged: object[] = [];
    const logger: Logger = { ...silentLogger, error: (fields) => logged.push(fields) };
    const errors: unknown[] = [];
    const notifier = createNotifier({ onError: (error) => errors.push(error) }, logger, () => 0);
    expect(notifier.lastError()).toBeNull();
    const cause = Object.assign(new Error(`no space left${'.'.repeat(1_000)}`), {
      code: 'ENOSPC',
      parameters: ['a payload'],
    });
    notifier.error('record', new WebhookError('storage_unavailable', 'The storage failed', { cause }));
    expect(errors).toMatchObject([{ code: 'storage_unavailable', cause }]);
    expect(logged).toEqual([
      {
        source: 'record',
        name: 'WebhookError',
        code: 'storage_unavailable',
        message: 'The storage failed',
        cause: {
          name: 'Error',
          code: 'ENOSPC',
          message: cause.message.slice(0, 500),
          stack: expect.stringMatching(/^\s+at /),
        },
        stack: expect.stringMatching(/^\s+at /),
      },
    ]);
    expect(notifier.lastError()).toEqual({
      code: 'storage_unavailable',
      source: 'record',
      at: '1970-01-01T00:00:00.000Z',
    });
    notifier.error('dispatch', new WebhookError('invalid_event', 'No event'));
    expect(logged[1]).toMatchObject({ source: 'dispatch', code: 'invalid_event', message: 'No event' });
    expect(notifier.lastError()).toMatchObject({ code: 'storage_unavailable' });
  });

  it('are told of an outage of the queue at once, and then once a minute how many failures there were', () => {
    vi.useFakeTimers();
    const told: number[] = [];
    const logged: unknown[] = [];
    const notifier = createNotifier(
      { onError: (_, { failures }) => told.push(failures) },
      { ...silentLogger, error: (fields) => logged.push('failures' in fields ? fields.failures : undefined) },
    );
    const fail = () => notifier.error('enqueue', new WebhookError('queue_unavailable', 'away'));
    // Whatever succeeds in between, as a queue does that loses every second job.
    for (let i = 0; i < 435; i++) fail();
    expect(told).toEqual([1]);
    vi.advanceTimersByTime(59_999);
    fail();
    expect(told).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([1, 435]);
    fail();
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([1, 435, 1]);
    // A minute without a failure ends it.
    vi.advanceTimersByTime(60_000);
    fail();
    expect(told).toEqual([1, 435, 1, 1]);
    expect(logged).toEqual(told);
    expect(notifier.failures('enqueue').count).toBe(438);
  });

  it('are told in the asynchronous context of no request how often several met an outage', () => {
    vi.useFakeTimers();
    const request = new AsyncLocalStorage<string>();
    const told: unknown[] = [];
    const onError = (_: unknown, { failures }: { readonly failures: number }) =>
      void told.push([failures, request.getStore()]);
    const notifier = createNotifier({ onError }, silentLogger);
    for (const name of ['a', 'b', 'c']) {
      request.run(name, () => notifier.error('enqueue', new WebhookError('queue_unavailable', 'away')));
    }
    // Fake timers call back in the context in which they are moved.
    request.run('d', () => vi.advanceTimersByTime(60_000));
    expect(told).toEqual([
      [1, 'a'],
      [2, undefined],
    ]);
  });

  it('are told of every other error, whatever the queue does', () => {
    const told: [string, number][] = [];
    const notifier = createNotifier(
      { onError: (_, { source, failures }) => told.push([source, failures]) },
      silentLogger,
      () => 0,
    );
    for (let i = 0; i < 2; i++) {
      notifier.error('enqueue', new WebhookError('queue_unavailable', 'away'));
      notifier.error('queue', new WebhookError('queue_unavailable', 'lost'));
      notifier.error('claim', new WebhookError('storage_unavailable', 'away'));
    }
    expect(told).toEqual([
      ['enqueue', 1],
      ['queue', 1],
      ['claim', 1],
      ['claim', 1],
    ]);
  });

  it('may log through a logger that throws', () => {
    const fail = () => {
      throw new Error('the disk is full');
    };
    const logger = nonThrowingLogger({ debug: fail, info: fail, warn: fail, error: fail });
    const notifier = createNotifier({}, logger);
    notifier.deliveryFailed(delivery);
    expect(notifier.error('record', new Error('x'))).toMatchObject({ code: 'internal_error' });
  });

  it.each([{ onError: 'x' }, { onDeliveryFailed: {} }, { onAttempt: 1 }, { onWebhookDisabled: [] }])(
    'must be functions: %j',
    (hooks) => {
      expect(() => createNotifier(hooks as object, silentLogger)).toThrow(TypeError);
    },
  );
});
