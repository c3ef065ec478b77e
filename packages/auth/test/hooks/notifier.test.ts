import { describe, expect, it } from 'vitest';
import { createNotifier } from '../../src/hooks/notifier.ts';

const logger = { error: () => {} };

describe('a notifier', () => {
  it('has nothing to tell a hook that the host has not', async () => {
    const notifier = createNotifier(logger);
    expect(notifier.hook('onX', undefined)).toBeUndefined();
    await notifier.idle();
  });

  it('keeps a hook that is flooded, and never settles, from delaying another', async () => {
    const notifier = createNotifier(logger);
    const tellSlow = notifier.hook('onSlow', () => new Promise<never>(() => {}));
    const told: string[] = [];
    const tellOther = notifier.hook('onOther', (event: string) => told.push(event));
    for (let n = 0; n < 2_000; n++) tellSlow?.([n]);
    tellOther?.(['x']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual(['x']);
  });

  it('is idle only when hooks have settled that other hooks have caused', async () => {
    const notifier = createNotifier(logger);
    const told: string[] = [];
    const tellSecond = notifier.hook('onSecond', async (event: string) => {
      await new Promise((resolve) => setImmediate(resolve));
      told.push(event);
    });
    const tellFirst = notifier.hook('onFirst', async (event: string) => {
      await Promise.resolve();
      tellSecond?.([`caused by ${event}`]);
    });
    tellFirst?.(['one']);
    await notifier.idle();
    expect(told).toEqual(['caused by one']);
  });
});
