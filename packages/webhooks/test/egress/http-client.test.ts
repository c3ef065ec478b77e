import { createServer } from 'node:http';
import { Client } from 'undici';
import { expect, it } from 'vitest';
import { loadHttpClient } from '../../src/egress/http-client.ts';
import { listen } from './loopback.ts';

it('loads the client of undici, the same one each time', async () => {
  expect(await loadHttpClient()).toBe(Client);
  expect(await loadHttpClient()).toBe(await loadHttpClient());
});

it('gives a client that connects through the connector that it is given', async () => {
  const recipient = await listen(createServer((_, response) => response.end('reached')));
  const HttpClient = await loadHttpClient();
  const client = new HttpClient(`http://127.0.0.1:${recipient.port}`, {
    connect: (_options, callback) => callback(new Error('kept away'), null),
  });
  await expect(client.request({ path: '/', method: 'GET' })).rejects.toThrow('kept away');
  expect(recipient.connections).toHaveLength(0);
  await client.destroy();
});
