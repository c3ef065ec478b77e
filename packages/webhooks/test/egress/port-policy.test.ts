import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { words } from '../../../toolkit/test/words.ts';
import { MAX_ALLOWED_PORTS } from '../../src/egress/port-policy.ts';
import { assertPublicUrl } from '../../src/egress/url-policy.ts';
import { isWebhookError } from '../../src/errors.ts';
import { memoryStorage } from '../../src/storage/memory-storage.ts';
import { createTestEngine } from '../engine/engine.ts';
import { testEgress } from './loopback.ts';
import { refusal, toPublic } from './url-refusal.ts';

const delivery = { headers: {}, body: '{}' };

describe('the port of a URL', () => {
  inOneTest(
    words(`
    https://example.com/ http://example.com/ https://example.com:80/ http://example.com:443/
    https://example.com:1024/ https://example.com:8443/ https://example.com:65535/
    http://93.184.215.14:8080/
  `),
  )('may be 80, 443 or above 1023: %s', async (url) => {
    expect((await assertPublicUrl(url, { resolve: toPublic })).href).toBe(url);
  });

  inOneTest([0, 1, 22, 25, 79, 81, 442, 444, 1023])('may not be %i', async (port) => {
    const words = `Port ${port} is not allowed: use 80, 443 or a port above 1023.`;
    for (const host of ['example.com', '93.184.215.14', '[2606:2800:220:1::1]']) {
      for (const scheme of ['http', 'https']) {
        expect(await refusal(`${scheme}://${host}:${port}/`)).toBe(words);
      }
    }
  });

  it('may also be what the host allows, beside the others', async () => {
    const options = { allowedPorts: [25, 1023], resolve: toPublic };
    for (const url of ['https://example.com:25/', 'http://example.com:1023/', 'https://example.com/']) {
      expect((await assertPublicUrl(url, options)).href).toBe(url);
    }
    await refusal('https://example.com:26/', options);
    await refusal('https://10.0.0.1:25/', options);
  });

  it('may not be 0 in a list of allowed ports, nor anything else that is no port', async () => {
    expect(MAX_ALLOWED_PORTS).toBe(64);
    const refused: readonly (readonly [unknown, string])[] = [
      [[0], 'allowedPorts[0] must be an integer from 1 to 65535, not 0'],
      [[443, 65_536], 'allowedPorts[1] must be an integer from 1 to 65535, not 65536'],
      [[25.5], 'allowedPorts[0]'],
      [['25'], 'allowedPorts[0]'],
      [[null], 'allowedPorts[0]'],
      [25, 'allowedPorts must be an array of ports'],
      [Array.from({ length: 65 }, (_, index) => index + 1), 'allowedPorts has 65 entries; at most 64'],
    ];
    for (const [allowedPorts, message] of refused) {
      const options = JSON.parse(JSON.stringify({ allowedPorts }));
      const checking = assertPublicUrl('https://example.com/', options);
      await expect(checking).rejects.toThrow(TypeError);
      await expect(checking).rejects.toThrow(message);
      expect(() => testEgress(options)).toThrow(message);
    }
  });

  it('is judged at every delivery, before a socket is opened', async () => {
    const egress = testEgress({ allowedAddresses: ['127.0.0.1'] });
    for (const host of ['127.0.0.1', 'hooks.example.com']) {
      const result = await egress.send({ ...delivery, url: `http://${host}:25/` });
      expect(result).toEqual({ kind: 'failure', code: 'url_not_public' });
    }
    expect(egress.opened).toEqual([]);
  });

  it('reaches the connection where the host allows it', async () => {
    const refusesAll = () => {
      throw new Error('no socket is opened');
    };
    const options = { allowedAddresses: ['127.0.0.1'], allowedPorts: [25] };
    const ports: number[] = [];
    const openSocket = (_address: string, port: number) => {
      ports.push(port);
      return refusesAll();
    };
    await testEgress(options, { openSocket }).send({ ...delivery, url: 'http://127.0.0.1:25/' });
    expect(ports).toEqual([25]);
  });
});

describe('an engine', () => {
  it('refuses a port at registration and at an update, with the field', async () => {
    const { webhooks } = createTestEngine(memoryStorage());
    const { id } = await webhooks.create({ url: 'http://127.0.0.1:8080/' });
    const url = 'http://127.0.0.1:25/';
    for (const attempt of [webhooks.create({ url }), webhooks.update(id, { url })]) {
      const error = await attempt.catch((reason: unknown) => reason);
      expect(isWebhookError(error, 'url_not_public')).toBe(true);
      expect(error).toMatchObject({ errors: [{ field: 'url', code: 'port_not_allowed' }] });
    }
    await webhooks.close();
  });

  it('sends nothing to a port that was allowed when the webhook was registered', async () => {
    const storage = memoryStorage();
    const lenient = createTestEngine(storage, {
      egress: { allowedAddresses: ['127.0.0.1'], allowedPorts: [25] },
    });
    const { id } = await lenient.webhooks.create({ url: 'http://127.0.0.1:25/' });
    await lenient.webhooks.close();
    const { webhooks, ended } = createTestEngine(storage);
    await webhooks.start();
    await webhooks.dispatch('user.created', {});
    expect(await ended(id)).toMatchObject({ status: 'failed', statusCode: 0, error: 'url_not_public' });
    await webhooks.close();
  });
});
