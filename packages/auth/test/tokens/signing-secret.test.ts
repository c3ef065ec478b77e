import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyRing, type KeyRingOptions, type SigningKey } from '../../src/tokens/key-ring.ts';

const SECRET = 'Zm9vYmFyYmF6-not-a-real-secret-7f3a91';
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }));
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }));
const indentedJwk = JSON.stringify(publicKey.export({ format: 'jwk' }), null, 2);
const der = publicKey.export({ type: 'spki', format: 'der' });
const pemBody = pem.split('\n').slice(1, -2).join('\n');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed25519 = generateKeyPairSync('ed25519');
const pkcs1 = publicKey.export({ type: 'pkcs1', format: 'der' });
const privatePkcs1 = pair.privateKey.export({ type: 'pkcs1', format: 'der' });
const ecDer = ec.publicKey.export({ type: 'spki', format: 'der' });
const ed25519Der = ed25519.privateKey.export({ type: 'pkcs8', format: 'der' });
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

/**
 * Keys that everybody can know, or that are for another use, in the spellings in which they travel.
 */
const KEY_DOCUMENTS: readonly [string, unknown][] = [
  ['a PEM public key', pem],
  ['a PEM after other text', `key=\n\n  ${pem}`],
  ['a PEM in bytes', Buffer.from(pem)],
  ['a PEM in UTF-16', Buffer.from(pem, 'utf16le')],
  ['a PEM in lower case', pem.toLowerCase()],
  ['a PEM in base64', Buffer.from(pem).toString('base64')],
  ['a JWK', jwk],
  ['a JWK with white space around', `\n  ${jwk}\t`],
  ['a JWK after a byte order mark', `\ufeff${jwk}`],
  ['a JWK in bytes', Buffer.from(jwk)],
  ['a JWK in UTF-16', Buffer.from(jwk, 'utf16le')],
  ['a JWK in base64url', Buffer.from(jwk).toString('base64url')],
  ['a JWK Set', JSON.stringify({ keys: [JSON.parse(jwk)] })],
  ['a symmetric JWK', JSON.stringify({ kty: 'oct', k: 'A'.repeat(43) })],
  ['a JSON array', JSON.stringify([jwk])],
  ['a JWK in JSON quotes', JSON.stringify(jwk)],
  ['a JWK in JSON quotes, twice', JSON.stringify(JSON.stringify(jwk))],
  ['a JWK in single quotes', `'${jwk}'`],
  ['a JWK in percent-encoding', encodeURIComponent(jwk)],
  ['a JWK in percent-encoding, twice', encodeURIComponent(encodeURIComponent(jwk))],
  ['an indented JWK as a form sends it', String(new URLSearchParams({ k: indentedJwk })).slice(2)],
  ['a JWK in hex', Buffer.from(jwk).toString('hex')],
  ['a JWK in upper-case hex', Buffer.from(jwk).toString('hex').toUpperCase()],
  ['a JWK in quoted base64', JSON.stringify(Buffer.from(jwk).toString('base64'))],
  ['a JWK in percent-encoded base64', encodeURIComponent(Buffer.from(jwk).toString('base64'))],
  ['a JWK in UTF-16 with a byte order mark', Buffer.from(`\ufeff${jwk}`, 'utf16le')],
  ['a JWK in the other UTF-16', Buffer.from(jwk, 'utf16le').swap16()],
  ['a PEM in hex', Buffer.from(pem).toString('hex')],
  ['a PEM in hex with colons', Buffer.from(pem).toString('hex').replace(/..\B/g, '$&:')],
  ['a PEM in base64, twice', inBase64(inBase64(pem))],
  ['a PEM in base64, three times', inBase64(inBase64(inBase64(pem)))],
  ['a PEM in base64 in lines', inBase64(pem).replace(/.{64}/g, '$&\r\n')],
  ['a PEM in percent-encoding', encodeURIComponent(pem)],
  ['a PEM body without armour', pemBody],
  ['a PEM body without armour or line breaks', pemBody.replaceAll('\n', '')],
  ['a PEM body whose line breaks are written out', pemBody.replaceAll('\n', '\\n')],
  ['a PEM body in base64url', der.toString('base64url')],
  ['DER', der],
  ['DER in hex', der.toString('hex')],
  ['DER in base64, twice', inBase64(der.toString('base64'))],
  ['DER as Latin-1 text', der.toString('latin1')],
  ['DER of a PKCS #1 public key', publicKey.export({ type: 'pkcs1', format: 'der' })],
  ['DER of a P-256 public key', ec.publicKey.export({ type: 'spki', format: 'der' })],
  ['DER of an Ed25519 public key', ed25519.publicKey.export({ type: 'spki', format: 'der' })],
  ['DER of an Ed25519 private key', ed25519.privateKey.export({ type: 'pkcs8', format: 'der' })],
  ['DER of a P-256 private key', ec.privateKey.export({ type: 'sec1', format: 'der' })],
  ['an OpenSSH public key', SSH_KEY],
  ['an OpenSSH public key with options before it', `no-pty,command="ls" ${SSH_KEY}`],
  ['the blob of an OpenSSH public key', SSH_KEY.split(' ')[1]],
  ['the bytes of an OpenSSH public key', Buffer.from(SSH_KEY.split(' ')[1] ?? '', 'base64')],
  ['an OpenSSH public key in base64', inBase64(SSH_KEY)],
  ['an SSH2 public key', `---- BEGIN SSH2 PUBLIC KEY ----\n${SSH_KEY.split(' ')[1]}\n`],
  ['a PEM without its first line', pem.split('\n').slice(1).join('\n')],
  ['a PEM body without its last line', pem.split('\n').slice(1, -3).join('\n')],
  ['the first line of a PEM body', pemBody.slice(0, 64)],
  ['a PKCS #1 body without its last line', pkcs1.toString('base64').slice(0, -64)],
  ['a private PKCS #1 body without its last line', privatePkcs1.toString('base64').slice(0, -64)],
  ['a P-256 body without its last bytes', ecDer.subarray(0, -4).toString('base64')],
  ['a PEM body behind a name', `PUBLIC_KEY=${pemBody}`],
  ['a PEM body behind a name and quoted', `export PUBLIC_KEY="${pemBody}"`],
  ['a PEM body with backslashes at the ends of lines', pemBody.replaceAll('\n', '\\\n')],
  ['base64 behind its name', `base64:${inBase64(pem)}`],
  ['hex behind its name', `hex:${Buffer.from(pem).toString('hex')}`],
  ['a data URL', `data:application/x-pem-file;base64,${inBase64(pem)}`],
  ['DER on a line', Buffer.concat([der, Buffer.from('\n')])],
  ['DER on a line, in base64', Buffer.concat([der, Buffer.from('\r\n')]).toString('base64')],
  ['DER before a zero', Buffer.concat([der, Buffer.from([0])])],
  ['DER after a byte order mark', Buffer.concat([Buffer.from('\ufeff'), der])],
  ['DER of a private Ed25519 key on a line', Buffer.concat([ed25519Der, Buffer.from('\n')])],
  ['DER in escapes', der.toString('hex').replace(/../g, '\\x$&')],
  ['DER as a list in hex', der.toString('hex').replace(/../g, '0x$&, ')],
  ['DER as an array in C', `{ ${der.toString('hex').replace(/..\B/g, '0x$&, ')} }`],
  ['DER in hex with hyphens', der.toString('hex').replace(/..\B/g, '$&-')],
  ['DER in decimal numbers', der.join()],
  ['DER in decimal numbers with spaces', der.join(' ')],
  ['a JWK in HTML', jwk.replaceAll('"', '&quot;')],
  ['a JWK in HTML with numbers', jwk.replaceAll('"', '&#34;')],
  ['a JWK in JSON escapes', jwk.replaceAll('"', '\\u0022')],
  ['a JWK in JavaScript', `{kty:'RSA',n:'${JSON.parse(jwk).n}',e:'AQAB'}`],
  ['a JWK in YAML', `kty: EC\ncrv: P-256\nx: ${inBase64('x'.repeat(32))}\n`],
  ['a PuTTY key', `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPublic-Lines: 6\n${inBase64(pem)}`],
  ['an RSA key in XML', `<RSAKeyValue><Modulus>${JSON.parse(jwk).n}</Modulus></RSAKeyValue>`],
  ['DER in JSON', JSON.stringify(der.toString('latin1'))],
  ['DER of a PKCS #1 public key in UTF-16', Buffer.from(pkcs1.toString('latin1'), 'utf16le')],
  ['DER in hex as a form sends it', der.toString('hex').replace(/..\B/g, '$&+')],
  ['DER in quotes before a zero', `'${der.toString('latin1')}'\0`],
  ['a PEM in UTF-16 on a line', Buffer.concat([Buffer.from(pem, 'utf16le'), Buffer.from('\n')])],
  ['a JWK in UTF-16 between spaces', ` ${Buffer.from(jwk, 'utf16le').toString('latin1')} `],
  [
    'a JWK in the other UTF-16 before a zero',
    Buffer.concat([Buffer.from(jwk, 'utf16le').swap16(), Buffer.alloc(1)]),
  ],
];

/** Texts and bytes that nobody has drawn at random. */
const PLACEHOLDERS: readonly [string, unknown][] = [
  ['32 bytes of zero behind the name of base64', `base64:${Buffer.alloc(32).toString('base64')}`],
  ['"changeme", repeated, behind a name', `SIGNING_KEY=${'changeme'.repeat(5)}`],
  ['32 bytes of zero', new Uint8Array(32)],
  ['32 bytes of zero in hex', '00'.repeat(32)],
  ['32 bytes of zero in base64', Buffer.alloc(32).toString('base64')],
  ['one letter', 'x'.repeat(64)],
  ['seven different bytes', Buffer.from(Array.from({ length: 64 }, (_, n) => (n * n * n) % 7))],
  ['"changeme", repeated', 'changeme'.repeat(4)],
  ['"changeme", repeated, on a line', `${'changeme'.repeat(4)}\n`],
  ['"changeme", repeated, in quotes', `"${'changeme'.repeat(4)}"`],
  ['"changeme", repeated, in hex', Buffer.from('changeme'.repeat(4)).toString('hex')],
  ['"changeme", repeated, in base64', inBase64('changeme'.repeat(4))],
  ['"changeme", repeated, in UTF-16', Buffer.from('changeme'.repeat(4), 'utf16le')],
  ['16 characters, twice', '0123456789abcdef'.repeat(2)],
  ['16 characters, twice and a part', '0123456789abcdef'.repeat(3).slice(0, 43)],
];

describe('reading a signing secret', () => {
  it.each([...NO_SECRETS, ...KEY_DOCUMENTS, ...PLACEHOLDERS])('refuses %s as the key', (_, signingKey) => {
    expect(() => createKeyRing({ signingKey: signingKey as SigningKey })).toThrow(TypeError);
    expect(() => createKeyRing({ signingKeys: [{ kid: 'a', key: signingKey as SigningKey }] })).toThrow(
      TypeError,
    );
  });

  it.each<[string, unknown, string]>([
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
    for (const key of [SECRET.slice(0, 20), pem, jwk, der.toString('hex'), 'changeme'.repeat(4), SSH_KEY]) {
      try {
        createKeyRing({ signingKey: key });
        expect.unreachable();
      } catch (error) {
        expect(String(error)).not.toContain(key.slice(0, 12));
      }
    }
  });
});

describe('a random key', () => {
  // Expanded from a seed: bytes that fast-check draws itself are often zero, and no random key is.
  const randomBytes = fc
    .record({ seed: fc.bigInt(0n, 2n ** 128n), outputLength: fc.integer({ min: 32, max: 96 }) })
    .map(({ seed, outputLength }) => createHash('shake256', { outputLength }).update(`${seed}`).digest());

  it.each<[string, (bytes: Uint8Array) => SigningKey]>([
    ['bytes', (bytes) => bytes],
    ['hex', (bytes) => Buffer.from(bytes).toString('hex')],
    ['upper-case hex', (bytes) => Buffer.from(bytes).toString('hex').toUpperCase()],
    ['hex of 16 bytes', (bytes) => Buffer.from(bytes.subarray(0, 16)).toString('hex')],
    ['base64', (bytes) => Buffer.from(bytes).toString('base64')],
    ['base64url', (bytes) => Buffer.from(bytes).toString('base64url')],
    ['base64 of 24 bytes', (bytes) => Buffer.from(bytes.subarray(0, 24)).toString('base64')],
    ['base64 on a line', (bytes) => `${Buffer.from(bytes).toString('base64')}\n`],
    ['base64 behind its name', (bytes) => `base64:${Buffer.from(bytes).toString('base64')}`],
    ['hex behind a name', (bytes) => `SIGNING_KEY=${Buffer.from(bytes).toString('hex')}`],
    ['hex with hyphens', (bytes) => Buffer.from(bytes).toString('hex').replace(/..\B/g, '$&-')],
    ['decimal numbers', (bytes) => bytes.join()],
    ['bytes as Latin-1 text', (bytes) => Buffer.from(bytes).toString('latin1')],
    ['bytes before a zero', (bytes) => Uint8Array.of(...bytes, 0)],
    ['bytes that begin with a name', (bytes) => Buffer.concat([Buffer.from('key='), bytes])],
    ['percent-encoded base64', (bytes) => encodeURIComponent(Buffer.from(bytes).toString('base64'))],
    [
      'bytes that begin as DER does',
      (bytes) => Uint8Array.of(0x30, bytes.length + 2, 0x02, bytes.length, ...bytes),
    ],
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
