import { describe, expect, it } from 'vitest';
import { serveNodeRequest } from '../../src/node-web/node-exchange.ts';
import { listen } from '../loopback.ts';

describe('an exchange', () => {
  it('asks nobody, and writes nothing, where the host has begun the response', async () => {
    const failures: unknown[] = [];
    let asked = 0;
    const { origin } = await listen((incoming, outgoing) => {
      outgoing.write('ho');
      const exchange = serveNodeRequest(incoming, outgoing, async () => {
        asked += 1;
        return new Response('ours');
      });
      exchange.catch((error: unknown) => failures.push(error));
    });
    // It does not look whole to the client.
    await expect(fetch(origin).then((response) => response.text())).rejects.toThrow();
    expect([asked, failures]).toEqual([
      0,
      [expect.objectContaining({ message: expect.stringMatching(/begun/) })],
    ]);
  });

  it('writes nothing over a response that the host has ended meanwhile', async () => {
    const exchanges: Promise<void>[] = [];
    const { origin } = await listen((incoming, outgoing) => {
      const exchange = serveNodeRequest(incoming, outgoing, async () => {
        outgoing.writeHead(503).end('too late');
        return new Response('ours');
      });
      exchanges.push(exchange);
    });
    expect(await (await fetch(origin)).text()).toBe('too late');
    expect(await Promise.all(exchanges)).toEqual([undefined]);
  });
});
