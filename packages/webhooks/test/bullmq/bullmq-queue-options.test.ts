import { describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../src/bullmq/index.ts';

describe('the options of bullmqQueue', () => {
  it.each([
    [{}, /connection must be an object/],
    [{ connection: 'redis://127.0.0.1' }, /connection must be an object/],
    [{ connection: {}, prefix: '' }, /prefix must be text/],
    [{ connection: {}, queueName: 'a b' }, /queueName must be text/],
    [{ connection: {}, redis: {} }, /unknown option "redis"/],
  ])('refuse %#', (options, message) => {
    // @ts-expect-error what JavaScript may pass
    expect(() => bullmqQueue(options)).toThrow(message);
  });

  it('open no connection before the first job', async () => {
    await bullmqQueue({ connection: { host: '127.0.0.1', port: 1 } }).stop();
  });
});
