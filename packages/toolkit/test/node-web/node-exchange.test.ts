import { describe, expect, it } from 'vitest';
import { serveNodeRequest } from '../../src/node-web/node-exchange.ts';
import { toWebRequest } from '../../src/node-web/node-request.ts';
import { listen } from '../loopback.ts';
import { echo, serve } from './fetch-server.ts';

describe('an exchange', () => {
  it('writes nothing over an answer that the host has begun', async () => {
    const exchanges: Promise<void>[] = [];
    const { origin } = await listen((incoming, outgoing) => {
      outgoing.write('ho');
      const exchange = serveNodeRequest(incoming, outgoing, (signal) =>
        echo(toWebRequest(incoming, { signal })),
      );
      exchanges.push(exchange.finally(() => outgoing.end('st')));
    });
    expect(await (await fetch(origin)).text()).toBe('host');
    expect(await Promise.all(exchanges)).toEqual([undefined]);
  });

  it('rejects before anything is written when the handler throws', async () => {
    const failures: unknown[] = [];
    const error = new Error('broken');
    const { origin } = await serve(
      async () => {
        throw error;
      },
      { onError: (failure) => failures.push(failure) },
    );
    await expect(fetch(origin)).rejects.toThrow();
    expect(failures).toEqual([error]);
  });
});
