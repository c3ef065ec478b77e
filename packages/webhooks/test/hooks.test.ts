import { describe, expect, it } from 'vitest';
import { createNotifier } from '../src/hooks.ts';
import { fearlessLogger, type Logger, silentLogger } from '../src/logger.ts';

const delivery = {
  webhookId: 1,
  deliveryId: '0',
  event: 'a.b',
  attempts: 4,
  statusCode: 500,
  error: 'http_500',
};

describe("a host's hooks and logger", () => {
  it('cannot disturb the engine by throwing or rejecting', async () => {
    const logged: string[] = [];
    const logger: Logger = { ...silentLogger, error: (_, message) => logged.push(message) };
    for (const fail of [
      () => {
        throw new Error('in the hook');
      },
      () => Promise.reject(new Error('in the hook')),
    ]) {
      const notifier = createNotifier({ onError: fail, onDeliveryFailed: fail }, logger);
      expect(notifier.error('claim', new Error('x'))).toMatchObject({ code: 'internal_error' });
      notifier.deliveryFailed(delivery);
      await Promise.resolve();
    }
    expect(logged.filter((message) => message === 'a webhook hook failed')).toHaveLength(4);
  });

  it('may log through a logger that throws', () => {
    const fail = () => {
      throw new Error('the disk is full');
    };
    const logger = fearlessLogger({ debug: fail, info: fail, warn: fail, error: fail });
    const notifier = createNotifier({}, logger);
    notifier.deliveryFailed(delivery);
    expect(notifier.error('record', new Error('x'))).toMatchObject({ code: 'internal_error' });
    logger.debug({}, 'x');
    logger.info({}, 'x');
  });

  it.each([{ onError: 'x' }, { onDeliveryFailed: {} }])('must be functions: %j', (hooks) => {
    expect(() => createNotifier(hooks as object, silentLogger)).toThrow(TypeError);
  });
});
