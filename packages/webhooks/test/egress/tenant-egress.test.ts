import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { words } from '../../../toolkit/test/words.ts';
import { createEgress, type EgressOptions } from '../../src/egress/egress.ts';
import { httpRecipient, resolvesTo, testEgress } from './loopback.ts';

const delivery = { headers: {}, body: '{}' };
/** Everything that opens the host's network to its own webhooks. */
const OPEN: EgressOptions = { allowedAddresses: ['127.0.0.0/8', '10.0.0.0/8'], allowedPorts: [22] };
const ON_LOOPBACK: EgressOptions = { ...OPEN, dangerouslyAllowedTenantAddresses: ['127.0.0.1/32'] };

describe("a tenant's webhook", () => {
  inOneTest(
    words(`
    https://127.0.0.1/ https://127.0.0.1:8080/ https://10.1.2.3/ https://[::ffff:127.0.0.1]/
    https://2130706433/ https://93.184.215.14:22/ http://93.184.215.14/ https://localhost/
    https://db.internal/
  `),
  )('has no use of what the host allows for its own: %s', async (url) => {
    const egress = testEgress(OPEN);
    await expect(egress.assertPublicUrl(url, 'acme')).rejects.toMatchObject({ code: 'url_not_public' });
    const result = await egress.send({ ...delivery, url, tenant: 'acme' });
    expect(result).toMatchObject({
      kind: 'failure',
      code: expect.stringMatching(/^(url_not_public|blocked_address)$/),
    });
    expect(egress.opened).toEqual([]);
  });

  it('is judged again in the connection, by what its name leads to', async () => {
    const recipient = await httpRecipient((_request, response) => response.writeHead(204).end());
    const url = `https://hooks.example.com:${recipient.port}/`;
    const egress = testEgress({ ...OPEN, resolve: resolvesTo('127.0.0.1') });
    await expect(egress.assertPublicUrl(url, 'acme')).rejects.toMatchObject({ code: 'url_not_public' });
    expect(await egress.send({ ...delivery, url, tenant: 'acme' })).toMatchObject({
      code: 'blocked_address',
    });
    expect(recipient.connections).toEqual([]);
  });

  it("is refused without a word of the host's options, which its owner reads", async () => {
    const egress = testEgress(OPEN);
    const refused = (tenant: string) =>
      egress.assertPublicUrl('https://127.0.0.1/', tenant).then(String, ({ message }: Error) => message);
    expect(await refused('acme')).not.toContain('egress');
  });

  inOneTest([
    [{ allowTenantHttp: true }, true],
    [{ allowTenantHttp: true, requireHttps: true }, false],
    [{ allowTenantHttp: false }, false],
    [{ requireHttps: false }, false],
  ])('may use http with %j: %s', async (options, isAllowed) => {
    const checked = testEgress(options).assertPublicUrl('http://93.184.215.14/', 'acme');
    expect(
      await checked.then(
        () => true,
        () => false,
      ),
    ).toBe(isAllowed);
  });

  inOneTest([
    [{ allowTenantHttp: 'yes' }, /egress.allowTenantHttp/],
    [{ dangerouslyAllowedTenantAddresses: ['0.0.0.0/0'] }, /0\.0\.0\.0\/0/],
  ])('has options that are checked: %j', (options, message) => {
    expect(() => createEgress(options as EgressOptions)).toThrow(message);
  });

  it("never shares a connection: not with the host's own, nor with another tenant's", async () => {
    const recipient = await httpRecipient((_request, response) => response.writeHead(204).end());
    const egress = testEgress(ON_LOOPBACK);
    const send = async (tenant: string): Promise<Socket | undefined> => {
      const before = recipient.connections.length;
      const result = await egress.send({ ...delivery, url: recipient.url, tenant });
      expect(result).toMatchObject({ statusCode: 204 });
      await new Promise((resolve) => setImmediate(resolve));
      return recipient.connections[before];
    };
    expect(await send('')).toBeDefined();
    expect(await send('acme')).toBeDefined();
    expect(await send('globex')).toBeDefined();
    expect(await send('acme x')).toBeDefined();
    expect([await send('acme'), await send('globex'), await send('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(recipient.connections).toHaveLength(4);
  });
});
