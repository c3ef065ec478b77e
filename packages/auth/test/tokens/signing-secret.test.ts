import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOneTest } from '../../../toolkit/test/in-one-test.ts';
import { base62 } from '../../src/api-keys/base62.ts';
import { createKeyRing, type KeyRingOptions, type SigningKey } from '../../src/tokens/key-ring.ts';

const SECRET = 'Zm9vYmFyYmF6-not-a-real-one-7f3a91';
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }));
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }));
const der = publicKey.export({ type: 'spki', format: 'der' });
const pemBody = pem.split('\n').slice(1, -2).join('\n');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed25519 = generateKeyPairSync('ed25519');
/** Made for this test; its private half was thrown away. */
const SSH_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1mS2yqWq3eWnYpPpU0h2m0cM8qv4zq3v9mJbq2oH8d somebody@example';

function inBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** What is no text or bytes, or too short. */
const NO_SECRETS: readonly [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['empty bytes', new Uint8Array(0)],
  ['31 bytes of text', 'x'.repeat(31)],
  ['31 bytes', new Uint8Array(31)],
  ['a number', 42],
  ['an array of numbers', Array(32).fill(1)],
  ['a key object', publicKey],
  ['half of a surrogate pair', `${'x'.repeat(32)}\ud800`],
];

/** Keys that everybody can know, or that are for another use. */
const KEY_DOCUMENTS: readonly [string, unknown][] = [
  ['a PEM public key', pem],
  ['a PEM after other text', `key=\n\n  ${pem}`],
  ['a PEM in bytes', Buffer.from(pem)],
  ['a PEM without its first line', pem.split('\n').slice(1).join('\n')],
  ['a PEM in base64', inBase64(pem)],
  ['a PEM in base64 in lines', inBase64(pem).replace(/.{64}/g, '$&\r\n')],
  ['a PEM in base64 behind its name', `base64:${inBase64(pem)}`],
  ['a PEM body without its lines', pemBody],
  ['a PEM body whose line breaks are written out', pemBody.replaceAll('\n', '\\n')],
  ['a JWK', jwk],
  ['a JWK in bytes', Buffer.from(jwk)],
  ['a JWK in base64url', Buffer.from(jwk).toString('base64url')],
  ['a JWK Set', JSON.stringify({ keys: [JSON.parse(jwk)] })],
  ['a symmetric JWK', JSON.stringify({ kty: 'oct', k: 'dGhpcyBpcyB2ZXJ5IHByaXZhdGUsIGJ1dA' })],
  ['a JWK in JSON quotes', JSON.stringify(jwk)],
  ['DER', der],
  ['DER in base64url', der.toString('base64url')],
  ['DER of a P-256 key', ec.publicKey.export({ type: 'spki', format: 'der' })],
  ...(['pkcs1', 'spki'] as const).flatMap((type): [string, unknown][] =>
    [1024, 2048, 4096].map((modulusLength) => [
      `DER of an RSA key of ${modulusLength} bits, ${type}`,
      generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type, format: 'der' }),
    ]),
  ),
  ['DER of an RSA private key, PKCS#1', pair.privateKey.export({ type: 'pkcs1', format: 'der' })],
  [
    'PKCS#1 in base64',
    pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString().split('\n').slice(1, -2).join(''),
  ],
  ...['P-256', 'P-384', 'P-521'].map((namedCurve): [string, unknown] => [
    `DER of an EC private key, SEC1, ${namedCurve}`,
    generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'sec1', format: 'der' }),
  ]),
  ['DER of an Ed25519 key', ed25519.privateKey.export({ type: 'pkcs8', format: 'der' })],
  ['an OpenSSH public key', SSH_KEY],
  [
    'a PEM of which the key is left alone',
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
  ],
  ['an indented JWK', '{\n  "kty" : "RSA",\n  "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiA" }'],
];

/** What a configuration holds in place of a secret that its tool was to put there. */
const REFERENCES: readonly string[] = [
  'op://vault/production/signing-key',
  'arn:aws:secretsmanager:eu-west-1:123456789012:secret:jwt-abc',
  'vault:v1:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zo',
  `\${SIGNING_KEY:-unset-unset-unset-unset}`,
  `"\${AUTH_SIGNING_KEY_OF_PRODUCTION}"`,
  `prefix-of-the-key-\${AUTH_SIGNING_KEY}`,
  '$(openssl rand -base64 32) # put here',
  'https://secrets.example.com/v1/signing-key',
  'ref+vault://kv/production#/signing-key',
  'projects/1234567890/locations/eu/keys/jwt',
  '@Microsoft.KeyVault(VaultName=prod;Name=jwt)',
  'ENC[AES256_GCM,data:8SDd3WHDOjf7mq69CyCqYjBX,type:str]',
  '/run/secrets/auth-signing-key-of-production',
  '{{ .Values.auth.signingKey | quote }}',
  '<paste the output of openssl here>',
  'process.env.AUTH_SIGNING_KEY_OF_THE_APP',
  `\${{ vars.AUTH_SIGNING_KEY_OF_PRODUCTION }}`,
  `\${ AUTH_SIGNING_KEY_OF_PRODUCTION }`,
  `\${{ secrets.AUTH_SIGNING_KEY || 'none' }}\n`,
  '$AUTH_SERVICE_PRODUCTION_SIGNING_KEY',
  '"$AUTH_SERVICE_PRODUCTION_SIGNING_KEY"',
  '%AUTH_SERVICE_PRODUCTION_SIGNING_KEY%',
  '#{AUTH_SERVICE_PRODUCTION_SIGNING_KEY}',
  '#{auth.service-production.signing-key}#',
  '__AUTH_SERVICE_PRODUCTION_SIGNING_KEY__',
  '$env:AUTH_SERVICE_PRODUCTION_SIGNING_KEY',
];

/** Texts that are in guides, samples and settings. */
const PLACEHOLDERS: readonly string[] = [
  'a-string-secret-at-least-256-bits-long',
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
  'please-change-me-please-change-me!!',
  'my-32-character-ultra-secure-and-ultra-long-secret',
  'ThisIsASampleSigningKeyForDevelopmentOnly',
  'dev-secret-dev-secret-dev-secret-',
  'CHANGE_ME_CHANGE_ME_BEFORE_THE_LAUNCH',
  'keyboard cat, keyboard cat, keyboard cat',
  'YOUR_JWT_SIGNING_KEY_GOES_RIGHT_HERE',
  'ChangeMeInProduction-0123456789ab',
  'changeMeInProduction-Xy9kQp34zzab',
  'Change_This-Xy9kQp34zzabvL2mT7bN4cR8',
  'YourSigningKeyHere1234567890abcdef',
  'yourTokenKeyXy9kQp34zzabvL2mT7bN4cR8',
  inBase64('please-change-me-please-change-me!!'),
];

/** Text and bytes that were typed, counted or repeated. */
const MONOTONOUS: readonly [string, unknown][] = [
  ['letters and digits in a row', 'abcdefghijklmnopqrstuvwxyz0123456789'],
  ['digits in a row, twice', '0123456789abcdef0123456789abcdef'],
  ['digits in a row, backwards', '9876543210'.repeat(4)],
  ['one letter', 'a'.repeat(32)],
  ['a word, repeated', 'correct'.repeat(6)],
  ['two letters in any order', 'abbabaabbaababbabaababbaabbabaab'],
  ['32 bytes of zero', new Uint8Array(32)],
  ['32 bytes of zero in hex', '00'.repeat(32)],
  ['32 bytes of zero in base64', Buffer.alloc(32).toString('base64')],
  ['32 bytes of zero behind the name of base64', `base64:${Buffer.alloc(32).toString('base64')}`],
  ['bytes that count', Uint8Array.from({ length: 64 }, (_, n) => n)],
  ['seven different bytes', Buffer.from(Array.from({ length: 64 }, (_, n) => (n * n * n) % 7))],
];

const RANDOM = 'Zm9vYmFyYmF6LW5vdC1hLXJlYWwtb25lLTdmM2E5MQ';

/** What is read along with a key, by which kind of character. */
const AROUND_A_KEY: readonly [string, string, string][] = [
  ['the line break of a key file', `${RANDOM}\n`, 'ends with a line break'],
  ['the line break of another system', `${RANDOM}\r\n`, 'ends with a line break'],
  ['an empty line before', `\n${RANDOM}`, 'begins with a line break'],
  ['a line separator', `${RANDOM}\u2028`, 'ends with a line break'],
  ['a space', ` ${RANDOM}`, 'begins with a space'],
  ['a tab', `${RANDOM}\t`, 'ends with a space'],
  ['a no-break space', `${RANDOM}\u00a0`, 'ends with a space'],
  ['an ideographic space', `\u3000${RANDOM}`, 'begins with a space'],
  ['a byte order mark', `\ufeff${RANDOM}`, 'begins with a byte order mark'],
  ['a byte order mark read as Latin-1', `\u00ef\u00bb\u00bf${RANDOM}`, 'contains a byte order mark'],
  ['a zero-width space', `${RANDOM}\u200b`, 'ends with an invisible character'],
  ['a zero', `${RANDOM}\0`, 'ends with an invisible character'],
  ['a combining joiner', `${RANDOM}\u034f`, 'ends with an invisible character'],
  ['a filler letter', `\u3164${RANDOM}`, 'begins with an invisible character'],
  ['a variation selector', `${RANDOM}\ufe0f${RANDOM}`, 'contains an invisible character'],
  ['a variation selector of two units', `${RANDOM}\u{e0100}`, 'contains an invisible character'],
  ['an empty Braille pattern', `${RANDOM}\u2800`, 'ends with an invisible character'],
  ['UTF-16 read as UTF-8', [...RANDOM].join('\0'), 'contains an invisible character'],
  ['quotes', `"${RANDOM}"`, 'begins with a quote'],
  ['single quotes', `'${RANDOM}'`, 'begins with a quote'],
  ['backticks', `\`${RANDOM}\``, 'begins with a quote'],
  ['quotes of a text program', `\u201c${RANDOM}\u201d`, 'begins with a quote'],
  ['low quotes', `\u201e${RANDOM}\u201c`, 'begins with a quote'],
  ['guillemets', `\u00ab${RANDOM}\u00bb`, 'begins with a quote'],
  ['a closing quote alone', `${RANDOM}"`, 'ends with a quote'],
];

/** What a program gives in place of a key. */
const NO_KEYS: readonly [string, string][] = [
  '[object Promise][object Promise][object Promise]',
  'function toString() { [native code] }',
  'cat: /etc/keys/signing: permission denied (os error 13)',
  'Error: ENOENT: no such file or directory',
  'a passphrase of nine words that nobody else has',
  'Zm9vYmFyYmF6\nLW5vdC1hLXJlYWwtb25lLTdmM2E5MQ',
  'HTTP/1.1 403 Forbidden\r\ncontent-length: 0',
]
  .map((key): [string, string] => [key, 'contains a'])
  .concat(
    [
      '<!doctype/html><html><h1>403</h1></html>',
      '<html/lang="en"><body><h1>Forbidden</h1></body></html>',
      '<error/><code>AccessDenied</code></error>',
      '{"error":"permission_denied","status":403}',
      '{"errors":["permission_denied_by_policy"]}',
      'function(){return(environment.KEY_OF_US)}',
      'async()=>{return(await(readFromVault()))}',
      '()=>readFileSync(SIGNING_KEY_PATH,"utf8")',
      'AccessDeniedException:kms_key_is_disabled',
    ].map((key) => [key, 'a page, an error or a program']),
  );

const REFUSED: readonly [string, unknown, string][] = [
  ...KEY_DOCUMENTS.map(([name, key]): [string, unknown, string] => [
    name,
    key,
    'the document of another key',
  ]),
  ...REFERENCES.map((key): [string, unknown, string] => [key, key, 'a reference']),
  ...PLACEHOLDERS.map((key): [string, unknown, string] => [key, key, 'a placeholder']),
  ...AROUND_A_KEY,
  ...NO_KEYS.map(([key, fault]): [string, unknown, string] => [key, key, fault]),
  ...MONOTONOUS.map(([name, key]): [string, unknown, string] => [name, key, 'hardly any variety']),
];

describe('reading a signing secret', () => {
  inOneTest(NO_SECRETS)('refuses %s as the key', (_, signingKey) => {
    expect(() => createKeyRing({ signingKey: signingKey as SigningKey })).toThrow(TypeError);
    expect(() => createKeyRing({ signingKeys: [{ kid: 'a', key: signingKey as SigningKey }] })).toThrow(
      TypeError,
    );
  });

  inOneTest(REFUSED)('refuses %s as the key, and says by which rule', (_, signingKey, fault) => {
    const message = messageOf({ signingKey: signingKey as SigningKey });
    expect(message).toContain(`signingKey must be a random secret: it`);
    expect(message).toContain(fault);
  });

  inOneTest([
    'b2ZuZXZlcmdvbm5hZ2l2ZXlvdXVwMTIzNDU2Nzg5MA',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'Zq8#vT1!wL5@pR7$xN2^mB9&cD4*hG6(',
    'kX9vQ2mT7bN4cR8jL1wP6sZ3dF5gH0yA',
    `${RANDOM.slice(0, 9)}"'${RANDOM.slice(9)}`,
    `<a.b>${RANDOM}`,
    `{{${RANDOM}}}${RANDOM}`,
    `$(${RANDOM})${RANDOM}`,
  ])('takes %s', (signingKey) => {
    expect(messageOf({ signingKey })).toBe('nothing was thrown');
  });

  inOneTest(AROUND_A_KEY)('refuses the bytes of a text with %s, as the text', (_, key, fault) => {
    expect(messageOf({ signingKey: Buffer.from(key) })).toContain(fault);
  });

  inOneTest<[string, unknown, string]>([
    ['undefined', undefined, 'got undefined: is the environment variable set?'],
    ['null', null, 'got null: is the environment variable set?'],
    ['an empty text', '', 'at least 32 bytes long, got 0: is the environment variable set?'],
    ['a number', 42, 'got number'],
    ['a short text', 'x'.repeat(31), 'at least 32 bytes long, got 31'],
  ])('says of %s what it got', (_, key, message) => {
    for (const [option, options] of [
      ['signingKey', { signingKey: key as string }],
      ['signingKeys[0].key', { signingKeys: [{ kid: 'a', key: key as string }] }],
    ] as const) {
      expect(messageOf(options).startsWith(`${option} must be`)).toBe(true);
      expect(messageOf(options).endsWith(message)).toBe(true);
    }
  });

  it('never repeats a key in a message', () => {
    const around = AROUND_A_KEY.map(([, key]) => key);
    for (const key of [
      SECRET.slice(0, 20),
      pem,
      ...around,
      jwk,
      der.toString('hex'),
      'changeme'.repeat(4),
      SSH_KEY,
    ]) {
      try {
        createKeyRing({ signingKey: key });
        expect.unreachable();
      } catch (error) {
        expect(String(error)).not.toContain(key.slice(3, 15));
      }
    }
  });
});

describe('a random key', () => {
  // Expanded from a seed: bytes that fast-check draws itself are often zero, and no random key is.
  const randomBytes = fc
    .record({ seed: fc.bigInt(0n, 2n ** 128n), outputLength: fc.integer({ min: 32, max: 96 }) })
    .map(({ seed, outputLength }) => createHash('shake256', { outputLength }).update(`${seed}`).digest());

  inOneTest<[string, (bytes: Uint8Array) => SigningKey]>([
    ['bytes', (bytes) => bytes],
    ['hex', (bytes) => Buffer.from(bytes).toString('hex')],
    ['upper-case hex', (bytes) => Buffer.from(bytes).toString('hex').toUpperCase()],
    ['hex of 16 bytes', (bytes) => Buffer.from(bytes.subarray(0, 16)).toString('hex')],
    ['base64', (bytes) => Buffer.from(bytes).toString('base64')],
    ['base64url', (bytes) => Buffer.from(bytes).toString('base64url')],
    ['base64 of 24 bytes', (bytes) => Buffer.from(bytes.subarray(0, 24)).toString('base64')],
    ['base64 behind its name', (bytes) => `base64:${Buffer.from(bytes).toString('base64')}`],
    ['hex behind a name', (bytes) => `SIGNING_KEY=${Buffer.from(bytes).toString('hex')}`],
    ['hex with hyphens', (bytes) => Buffer.from(bytes).toString('hex').replace(/..\B/g, '$&-')],
    ['decimal numbers', (bytes) => bytes.join()],
    ['bytes before a zero', (bytes) => Uint8Array.of(...bytes, 0)],
    ['bytes that begin with a name', (bytes) => Buffer.concat([Buffer.from('key='), bytes])],
    ['bytes that begin as a template does', (bytes) => Buffer.concat([Buffer.from('{{'), bytes])],
    ['base64 that begins as an address does', (bytes) => `base64://${Buffer.from(bytes).toString('base64')}`],
    ['base62', (bytes) => base62(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), bytes.length * 2)],
  ])('always passes as %s', (_, spell) => {
    fc.assert(
      fc.property(randomBytes, (bytes) => {
        createKeyRing({ signingKey: spell(bytes) });
      }),
      { numRuns: 2_000 },
    );
  });
});

function messageOf(options: KeyRingOptions): string {
  try {
    createKeyRing(options);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
  }
  return 'nothing was thrown';
}
