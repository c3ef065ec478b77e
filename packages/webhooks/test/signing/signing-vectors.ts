import { createHmac } from 'node:crypto';
import type { CallbackVector, SignatureVector } from './shipped-vectors.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * The bytes 0 to 23, 24 to 47, and 64 of them: the shortest secret there is, another one, and the
 * longest.
 */
const SECRET = secretOf(0, 24);
const OTHER = secretOf(24, 24);
const LONG = secretOf(48, 64);

const ID = '0123456789abcdef0123456789abcdef';
const CREATED = 1_795_147_800;
const ATTEMPTED = CREATED + 3000;
const BODY = '{"type":"user.created","timestamp":"2026-11-20T04:10:00.123Z","data":{"id":42}}';
const UTF8_BODY =
  '{"type":"user.created","timestamp":"2026-11-20T04:10:00.123Z","data":{"name":"Zoë 李 👩‍💻","note":"\\u00e9\\n"}}';
const SPACED_BODY = '{ "type": "user.created",\r\n\t"timestamp": "2026-11-20T04:10:00.123Z", "data": {} }\n';

/**
 * Everything in `vectors/signing.json`. It is made with node:crypto alone: a test that checks our
 * signing by our verifying would not notice a mistake that both make. OpenSSL recomputes each
 * signature, and the code in `docs/verifying.md` runs over each case.
 */
export function signingVectors(): object {
  return {
    description:
      'Test vectors for the callbacks of @acme/webhooks. Bodies are sent as the UTF-8 of the text given here. ' +
      'Header names are compared without regard to case. docs/verifying.md has code that passes all of them.',
    reasons: {
      signature_missing: 'a header of the scheme is not there, or empty',
      signature_malformed: 'a header of the scheme is there and cannot be genuine',
      signature_mismatch: 'no signature fits, or the event in the header is not the one in the signed body',
      signature_stale: 'genuine, but further from the clock than tolerance_seconds',
      body_malformed: 'genuine, but the body is no event',
      secret_unusable:
        'a secret is not whsec_ and at least 24 bytes: an error of the recipient (verify throws a TypeError)',
    },
    signatures: signatureVectors(),
    callbacks: [...standardVectors(), ...xWebhookVectors()],
  };
}

function signatureVectors(): SignatureVector[] {
  const vector = (name: string, body: string, secret = SECRET): SignatureVector => ({
    name,
    secret,
    id: ID,
    timestamp: CREATED,
    body,
    x_webhook_signature: xSignature(body, secret, CREATED),
    webhook_signature: standardSignature(body, secret, CREATED),
  });
  return [
    vector('an event', BODY),
    vector('an event beyond ASCII', UTF8_BODY),
    vector('an event with white space, as it is sent', SPACED_BODY),
    vector('an empty body', ''),
    vector('a body with dots, as in the signed content', '.1.2.'),
    vector('the longest secret', BODY, LONG),
  ];
}

function standardVectors(): CallbackVector[] {
  const build = builder('standard', 300, (body, secret) => ({
    'webhook-id': ID,
    'webhook-timestamp': String(ATTEMPTED),
    'webhook-signature': standardSignature(body, secret, ATTEMPTED),
  }));
  return [
    ...bodyVectors(build),
    ...standardAgeVectors(build),
    ...standardSignatureVectors(build),
    ...standardHeaderVectors(build),
    ...missingVectors(build, ['webhook-id', 'webhook-timestamp', 'webhook-signature']),
    ...unusableSecretVectors(build),
    // Who strips a prefix only where there is one has the same key.
    build('a secret without its prefix', 'secret_unusable', { secrets: [SECRET.slice('whsec_'.length)] }),
    build('only the headers of the other scheme', 'signature_missing', {
      headers: {
        ...xHeaders(BODY, SECRET),
        'webhook-id': '',
        'webhook-timestamp': '',
        'webhook-signature': '',
      },
    }),
  ];
}

function standardAgeVectors(build: Build): CallbackVector[] {
  return [
    build('as old as it may be', null, { now: ATTEMPTED + 300 }),
    build('as far ahead as it may be', null, { now: ATTEMPTED - 300 }),
    build('stale', 'signature_stale', { now: ATTEMPTED + 301 }),
    build('from the future', 'signature_stale', { now: ATTEMPTED - 301 }),
    build('signed with a secret of 64 bytes', null, { signedWith: LONG, secrets: [LONG] }),
    build('the event in X-Webhook-Event relabelled, which this scheme does not read', null, {
      headers: { 'X-Webhook-Event': 'user.deleted' },
    }),
  ];
}

function standardSignatureVectors(build: Build): CallbackVector[] {
  const genuine = standardSignature(BODY, SECRET, ATTEMPTED);
  const other = standardSignature(BODY, OTHER, ATTEMPTED);
  const signature = (name: string, value: string, reason: string | null): CallbackVector =>
    build(name, reason, { headers: { 'webhook-signature': value } });
  return [
    signature('rotation: the new secret signs first', `${genuine} ${other}`, null),
    signature('rotation: the new secret signs second', `${other} ${genuine}`, null),
    build('rotation: the recipient still has the old secret', null, {
      headers: { 'webhook-signature': `${genuine} ${other}` },
      secrets: [OTHER],
    }),
    build('rotation: the recipient has both secrets', null, { secrets: [OTHER, SECRET] }),
    build('signed with a secret that the recipient does not have', 'signature_mismatch', {
      secrets: [OTHER, LONG],
    }),
    signature('an entry of another version beside the genuine one', `v1a,AAAA ${genuine}`, null),
    signature('an entry that is cut off beside the genuine one', `v1,AAAA ${genuine}`, null),
    signature('only an entry of another version', `v1a,${genuine.slice(3)}`, 'signature_malformed'),
    signature('a signature without its version', genuine.slice(3), 'signature_malformed'),
    signature('the version in upper case', `V1,${genuine.slice(3)}`, 'signature_malformed'),
    signature('a signature of 31 bytes', `v1,${base64(31)}`, 'signature_malformed'),
    signature('a signature of 33 bytes', `v1,${base64(33)}`, 'signature_malformed'),
    signature('a signature without padding', genuine.slice(0, -1), 'signature_malformed'),
    signature('a signature of nothing', 'v1,', 'signature_malformed'),
    signature('signatures parted by a comma', `${other},${genuine.slice(3)}`, 'signature_malformed'),
    signature('the signature in hexadecimal', `v1,${hex(genuine)}`, 'signature_malformed'),
    signature(
      'the signature of the other scheme in this header',
      `v1,${Buffer.from(xSignature(BODY, SECRET, ATTEMPTED), 'hex').toString('base64')}`,
      'signature_mismatch',
    ),
  ];
}

function standardHeaderVectors(build: Build): CallbackVector[] {
  const timestamp = (name: string, value: string): CallbackVector =>
    build(name, 'signature_malformed', { headers: { 'webhook-timestamp': value } });
  return [
    build('another id', 'signature_mismatch', { headers: { 'webhook-id': 'f'.repeat(32) } }),
    build('another timestamp', 'signature_mismatch', {
      headers: { 'webhook-timestamp': String(ATTEMPTED - 1) },
    }),
    build('an id with a dot', 'signature_malformed', { headers: { 'webhook-id': `${ID}.1` } }),
    timestamp('a timestamp with a sign', `+${ATTEMPTED}`),
    timestamp('a timestamp with a zero before it', `0${ATTEMPTED}`),
    timestamp('a timestamp with a fraction', `${ATTEMPTED}.0`),
    timestamp('a timestamp with an exponent', '1e9'),
    timestamp('a timestamp twice in one header', `${ATTEMPTED}, ${ATTEMPTED}`),
    timestamp('a date', '2026-11-20T05:00:00Z'),
  ];
}

function xWebhookVectors(): CallbackVector[] {
  const build = builder('x-webhook', null, xHeaders);
  const genuine = xSignature(BODY, SECRET, CREATED);
  const other = xSignature(BODY, OTHER, CREATED);
  return [
    ...bodyVectors(build),
    build('a retry of the day after', null, { now: CREATED + 86_400 }),
    build('as old as it may be, where that counts', null, { now: CREATED + 60, tolerance_seconds: 60 }),
    build('stale, where that counts', 'signature_stale', { now: CREATED + 61, tolerance_seconds: 60 }),
    build('the event in the header relabelled', 'signature_mismatch', {
      headers: { 'X-Webhook-Event': 'user.deleted' },
    }),
    build('rotation: the recipient has the new secret', null, {
      headers: { 'X-Webhook-Signature-Previous': other },
    }),
    build('rotation: the recipient still has the old secret', null, {
      headers: { 'X-Webhook-Signature-Previous': other },
      secrets: [OTHER],
    }),
    build('rotation: neither signature fits', 'signature_mismatch', {
      headers: { 'X-Webhook-Signature-Previous': other },
      secrets: [LONG],
    }),
    build('signed with a secret that the recipient does not have', 'signature_mismatch', {
      secrets: [OTHER],
    }),
    build('keyed with the decoded secret, as the other scheme is', 'signature_mismatch', {
      headers: { 'X-Webhook-Signature': hex(standardSignature(BODY, SECRET, CREATED)) },
    }),
    ...xSignatureVectors(build, genuine, other),
    build('another id', 'signature_mismatch', { headers: { 'X-Webhook-ID': 'f'.repeat(32) } }),
    build('another timestamp', 'signature_mismatch', {
      headers: { 'X-Webhook-Timestamp': String(CREATED + 1) },
    }),
    build('a timestamp with a sign', 'signature_malformed', {
      headers: { 'X-Webhook-Timestamp': `+${CREATED}` },
    }),
    build('an id with a dot', 'signature_malformed', { headers: { 'X-Webhook-ID': `${ID}.1` } }),
    ...missingVectors(build, [
      'X-Webhook-ID',
      'X-Webhook-Timestamp',
      'X-Webhook-Signature',
      'X-Webhook-Event',
    ]),
    ...unusableSecretVectors(build),
    build('a secret without its prefix', 'secret_unusable', {
      signedWith: SECRET.slice('whsec_'.length),
      secrets: [SECRET.slice('whsec_'.length)],
    }),
    build('only the signature of the secret before', 'signature_missing', {
      headers: { 'X-Webhook-Signature': '', 'X-Webhook-Signature-Previous': genuine },
    }),
  ];
}

function xSignatureVectors(build: Build, genuine: string, other: string): CallbackVector[] {
  const signature = (name: string, value: string): CallbackVector =>
    build(name, 'signature_malformed', { headers: { 'X-Webhook-Signature': value } });
  return [
    signature('the signature in upper case', genuine.toUpperCase()),
    signature('the signature in base64', Buffer.from(genuine, 'hex').toString('base64')),
    signature('a signature with a prefix', `sha256=${genuine}`),
    signature('a signature of 31 bytes', genuine.slice(2)),
    signature('a signature of 33 bytes', `${genuine}00`),
    signature('a signature with half a byte too many', `${genuine}0`),
    signature('two signatures in one header', `${other}, ${genuine}`),
  ];
}

interface Changes {
  /** What is sent; signed is `signed` where that differs. */
  readonly body?: string;
  readonly signed?: string;
  readonly signedWith?: string;
  readonly secrets?: readonly string[];
  /** In place of the genuine ones; '' takes a header away. */
  readonly headers?: Headers;
  readonly now?: number;
  readonly tolerance_seconds?: number;
}

type Build = (name: string, reason: string | null, changes?: Changes) => CallbackVector;

function builder(
  scheme: CallbackVector['scheme'],
  tolerance: number | null,
  sign: (body: string, secret: string) => Headers,
): Build {
  return (name, reason, changes = {}) => {
    const { body = BODY, secrets = [SECRET], now = ATTEMPTED, signedWith = SECRET } = changes;
    const headers = { ...sign(changes.signed ?? body, signedWith), ...changes.headers };
    return {
      name: `${scheme}: ${name}`,
      scheme,
      secrets,
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
      body,
      now,
      tolerance_seconds: changes.tolerance_seconds ?? tolerance,
      expect: reason === null ? 'accept' : 'refuse',
      reason,
    };
  };
}

function bodyVectors(build: Build): CallbackVector[] {
  return [
    build('genuine', null),
    build('a body beyond ASCII', null, { body: UTF8_BODY }),
    build('a body with white space, as it was sent', null, { body: SPACED_BODY }),
    build('a tampered body', 'signature_mismatch', { signed: BODY, body: BODY.replace('42', '43') }),
    build('a body that was parsed and serialised again', 'signature_mismatch', {
      signed: UTF8_BODY,
      body: JSON.stringify(JSON.parse(UTF8_BODY)),
    }),
    build('a body with a byte more', 'signature_mismatch', { signed: BODY, body: `${BODY}\n` }),
    build('the event in the body relabelled', 'signature_mismatch', {
      signed: BODY,
      body: BODY.replace('user.created', 'user.deleted'),
      headers: { 'X-Webhook-Event': 'user.deleted' },
    }),
    build('an empty body in place of the signed one', 'signature_mismatch', { signed: BODY, body: '' }),
    build('an empty body, genuinely signed', 'body_malformed', { body: '' }),
    build('a body that is no JSON, genuinely signed', 'body_malformed', { body: 'user.created' }),
  ];
}

function missingVectors(build: Build, names: readonly string[]): CallbackVector[] {
  return names.map((name) => build(`without ${name}`, 'signature_missing', { headers: { [name]: '' } }));
}

/** Genuine for a verifier that takes the secret as it is: anybody can sign with an empty key. */
function unusableSecretVectors(build: Build): CallbackVector[] {
  const secrets: readonly [string, string][] = [
    ['an empty secret', ''],
    ['a secret that is its prefix alone', 'whsec_'],
    ['a secret of 3 bytes', 'whsec_AAEC'],
    ['a secret of 23 bytes', secretOf(0, 23)],
  ];
  return [
    ...secrets.map(([name, secret]) =>
      build(name, 'secret_unusable', { signedWith: secret, secrets: [secret] }),
    ),
    build('an empty secret beside the right one', 'secret_unusable', { secrets: [SECRET, ''] }),
  ];
}

function xHeaders(body: string, secret: string): Headers {
  return {
    'X-Webhook-ID': ID,
    'X-Webhook-Timestamp': String(CREATED),
    'X-Webhook-Signature': xSignature(body, secret, CREATED),
    'X-Webhook-Event': 'user.created',
  };
}

function xSignature(body: string, secret: string, timestamp: number): string {
  return createHmac('sha256', secret).update(`${ID}.${timestamp}.${body}`).digest('hex');
}

function standardSignature(body: string, secret: string, timestamp: number): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${ID}.${timestamp}.${body}`).digest('base64')}`;
}

function secretOf(firstByte: number, length: number): string {
  const bytes = Uint8Array.from({ length }, (_, index) => firstByte + index);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

function base64(length: number): string {
  return Buffer.alloc(length, 1).toString('base64');
}

function hex(standardEntry: string): string {
  return Buffer.from(standardEntry.slice(3), 'base64').toString('hex');
}
