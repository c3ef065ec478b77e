import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { serve } from './fetch-server.ts';

describe('a client that leaves', () => {
  it('aborts the request of the handler', async () => {
    let arrived = (_: Request) => {};
    const arrival = new Promise<Request>((resolve) => {
      arrived = resolve;
    });
    const { origin } = await serve(async (request) => {
      arrived(request);
      await once(request.signal, 'abort');
      return new Response('too late');
    });
    const client = new AbortController();
    const answer = fetch(origin, { signal: client.signal }).catch(() => 'left');
    const { signal } = await arrival;
    expect(signal.aborted).toBe(false);
    client.abort();
    expect(await answer).toBe('left');
    if (!signal.aborted) await once(signal, 'abort');
  });

  it('does not abort a request that was answered', async () => {
    let signal: AbortSignal | undefined;
    const { origin } = await serve(async (request) => {
      signal = request.signal;
      return new Response('done');
    });
    const response = await fetch(origin, { headers: { connection: 'close' } });
    await response.text();
    expect(signal?.aborted).toBe(false);
  });
});
