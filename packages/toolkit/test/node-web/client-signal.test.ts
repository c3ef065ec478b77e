import { describe, expect, it } from 'vitest';
import { serve } from './fetch-server.ts';

describe('a client that leaves', () => {
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
