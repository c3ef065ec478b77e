import { readFileSync } from 'node:fs';
import { createSecureServer, performServerHandshake } from 'node:http2';
import { createServer, type Server } from 'node:https';
import tls, { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TlsDetail } from '../../src/egress/send-result.ts';
import { listen, rawRecipient, replyingRecipient, testEgress } from './loopback.ts';

const key = readFileSync(new URL('./fixtures/loopback.key.pem', import.meta.url));
const cert = readFileSync(new URL('./fixtures/loopback.cert.pem', import.meta.url));
// The same key, name and address, valid on the first day of 2020.
const expired = readFileSync(new URL('./fixtures/expired.cert.pem', import.meta.url));
// Issued by the intermediate, which the root issued: for the same key and name.
const [leaf, intermediate, root] = ['leaf', 'intermediate', 'root'].map((name) =>
  readFileSync(new URL(`./fixtures/${name}.cert.pem`, import.meta.url), 'utf8'),
);
const tlsError = (detail: TlsDetail) => ({ kind: 'failure', code: 'tls_error', detail });
const delivery = { headers: {}, body: '{}' };
const loopback = { allowedAddresses: ['127.0.0.1'] };

/** Answers with the server name that the client asked for. */
function httpsServer(options: object = {}): Server {
  return createServer({ key, cert, ...options }, (request, response) => {
    const name = 'servername' in request.socket ? String(request.socket.servername) : '';
    response.end(JSON.stringify({ name, host: request.headers.host }));
  });
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('TLS', () => {
  it('asks for the name of the URL and checks the certificate against it', async () => {
    const { port } = await listen(httpsServer());
    const egress = testEgress(loopback, { trust: { ca: cert } });
    for (const host of ['hooks.example.com', 'hooks.example.com.']) {
      const result = await egress.send({ ...delivery, url: `https://${host}:${port}/` });
      const body = JSON.stringify({ name: 'hooks.example.com', host: `${host}:${port}` });
      expect(result).toEqual({ kind: 'response', statusCode: 200, body });
    }
  });

  it('checks the certificate against a literal address, without naming it to the server', async () => {
    const { port } = await listen(httpsServer());
    const result = await testEgress(loopback, { trust: { ca: cert } }).send({
      ...delivery,
      url: `https://127.0.0.1:${port}/`,
    });
    const body = JSON.stringify({ name: 'false', host: `127.0.0.1:${port}` });
    expect(result).toEqual({ kind: 'response', statusCode: 200, body });
  });

  it('refuses a certificate for another name', async () => {
    const { port } = await listen(httpsServer());
    const result = await testEgress(loopback, { trust: { ca: cert } }).send({
      ...delivery,
      url: `https://other.example.com:${port}/`,
    });
    expect(result).toEqual(tlsError('wrong_name'));
  });

  it('refuses an expired certificate that is trusted', async () => {
    const { port } = await listen(httpsServer({ cert: expired }));
    const result = await testEgress(loopback, { trust: { ca: expired } }).send({
      ...delivery,
      url: `https://hooks.example.com:${port}/`,
    });
    expect(result).toEqual(tlsError('certificate_expired'));
  });

  it('refuses a self-signed certificate that is not trusted, also where the environment says otherwise', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { port } = await listen(httpsServer());
    const result = await testEgress(loopback).send({
      ...delivery,
      url: `https://hooks.example.com:${port}/`,
    });
    expect(result).toEqual(tlsError('unknown_issuer'));
  });

  it.each<[string, TlsDetail, string, object]>([
    ['without the intermediate one', 'incomplete_chain', `${leaf}`, { ca: root }],
    ['with a root that is not trusted', 'unknown_issuer', `${leaf}${intermediate}`, {}],
  ])('refuses a certificate %s', async (_, detail, chain, trust) => {
    const { port } = await listen(httpsServer({ cert: chain }));
    const url = `https://hooks.example.com:${port}/`;
    expect(await testEgress(loopback, { trust }).send({ ...delivery, url })).toEqual(tlsError(detail));
    const whole = await listen(httpsServer({ cert: `${leaf}${intermediate}` }));
    const egress = testEgress(loopback, { trust: { ca: root ?? '' } });
    const result = await egress.send({ ...delivery, url: `https://hooks.example.com:${whole.port}/` });
    expect(result).toMatchObject({ statusCode: 200 });
  });

  it('refuses a server without a common cipher', async () => {
    const ciphers = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-CHACHA20-POLY1305' };
    const { port } = await listen(httpsServer(ciphers));
    const trust = { ca: cert, ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' };
    const url = `https://hooks.example.com:${port}/`;
    const result = await testEgress(loopback, { trust }).send({ ...delivery, url });
    expect(result).toEqual(tlsError('handshake_refused'));
  });

  it('refuses a server that speaks only HTTP/2, whether it says so or not', async () => {
    const { port } = await listen(createSecureServer({ key, cert }));
    const deaf = await listen(createTlsServer({ key, cert }, (socket) => performServerHandshake(socket)));
    const send = (to: number) =>
      testEgress(loopback, { trust: { ca: cert } }).send({
        ...delivery,
        url: `https://hooks.example.com:${to}/`,
      });
    expect(await send(port)).toEqual(tlsError('only_http2'));
    expect(await send(deaf.port)).toEqual({
      kind: 'failure',
      code: 'invalid_response',
      detail: 'only_http2',
    });
  });

  it('refuses TLS 1.1, also where the process allows it', async () => {
    const before = tls.DEFAULT_MIN_VERSION;
    tls.DEFAULT_MIN_VERSION = 'TLSv1';
    try {
      const ciphers = 'DEFAULT@SECLEVEL=0';
      const { port } = await listen(httpsServer({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers }));
      const egress = testEgress(loopback, { trust: { ca: cert, ciphers } });
      const result = await egress.send({ ...delivery, url: `https://hooks.example.com:${port}/` });
      expect(result).toEqual(tlsError('tls_too_old'));
    } finally {
      tls.DEFAULT_MIN_VERSION = before;
    }
  });

  it('bounds what a recipient sends, as without it', async () => {
    const server = createTlsServer({ key, cert }, (socket) => {
      const chunk = 'O'.repeat(16_384);
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('error', () => undefined).on('drain', pump);
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 ');
        pump();
      });
    });
    const { port } = await listen(server);
    const result = await testEgress(loopback, { trust: { ca: cert } }).send({
      ...delivery,
      url: `https://hooks.example.com:${port}/`,
    });
    expect(result).toEqual({ kind: 'failure', code: 'invalid_response', detail: 'headers_too_large' });
  });

  it('reports a server that demands a client certificate as a TLS failure or a reset', async () => {
    const { port } = await listen(httpsServer({ requestCert: true, rejectUnauthorized: true, ca: cert }));
    const result = await testEgress(loopback, { trust: { ca: cert } }).send({
      ...delivery,
      url: `https://hooks.example.com:${port}/`,
    });
    expect(result.kind === 'failure' && ['tls_error', 'connection_reset'].includes(result.code)).toBe(true);
  });

  it('reports a server that speaks plain HTTP', async () => {
    const { port } = await replyingRecipient('HTTP/1.1 400 Bad Request\r\n\r\n');
    const result = await testEgress(loopback).send({
      ...delivery,
      url: `https://hooks.example.com:${port}/`,
    });
    expect(result).toEqual(tlsError('not_tls'));
  });

  it('gives up a handshake that hangs, and closes its socket', async () => {
    const recipient = await rawRecipient((socket) => socket.resume());
    const egress = testEgress({ ...loopback, timeoutMs: 300 });
    const result = await egress.send({ ...delivery, url: `https://hooks.example.com:${recipient.port}/` });
    expect(result).toEqual({ kind: 'failure', code: 'timeout' });
    await vi.waitFor(
      () => expect(recipient.connections.map((socket) => socket.destroyed)).toEqual([true]),
      60_000,
    );
  });

  it('reports a handshake that the recipient breaks off', async () => {
    const recipient = await rawRecipient((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const result = await testEgress(loopback).send({
      ...delivery,
      url: `https://hooks.example.com:${recipient.port}/`,
    });
    expect(result).toEqual({ kind: 'failure', code: 'connection_reset' });
  });
});
