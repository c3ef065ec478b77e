import { createHmac, timingSafeEqual } from 'node:crypto';

// headers: with lower-case names. body: the raw bytes of the request, before any JSON parser.
export function isGenuine(headers, body, secret) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length < 24) throw new Error('The secret is not set');
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const age = Date.now() / 1000 - Number(timestamp || Number.NaN);
  if (!(Math.abs(age) <= 300)) return false;
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  // There are two signatures for 24 hours after a rotation.
  return String(signatures)
    .split(' ')
    .map((text) => Buffer.from(text))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
