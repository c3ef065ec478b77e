import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serve } from './fetch-server.ts';

describe('a Web response', () => {
  it('waits for a slow client instead of filling memory, and stops when it leaves', async () => {
    let chunks = 0;
    let cancelled = () => {};
    const cancellation = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const { port } = await serve(async () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          chunks += 1;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => cancelled(),
      });
      return new Response(body);
    });
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    await once(socket, 'data');
    socket.pause();
    // Still after two hundred turns of the event loop: the sockets are full, and nobody asks for
    // more.
    for (let still = 0, before = chunks; still < 200 && chunks < 10_000; still++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (chunks > before) still = 0;
      before = chunks;
    }
    expect(chunks).toBeLessThan(10_000);
    socket.destroy();
    await cancellation;
  });
});
