import { createHash, timingSafeEqual } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createHashingLimiter, type HashingLimiter } from '../../../src/passwords/hashing-limiter.ts';
import { hashPassword, needsRehash, verifyPassword } from '../../../src/passwords/password.ts';
import {
  type PasswordCredentialsOptions,
  type PasswordUser,
  passwordCredentials,
} from '../../../src/sessions/log-in/password-credentials.ts';
import { Browser, sessionHost } from '../session-host.ts';

interface User extends PasswordUser {
  readonly name: string;
}

const PASSWORD = 'correct horse battery staple';
let stored: string;
beforeAll(async () => {
  stored = await hashPassword(PASSWORD);
});

/** A limiter that counts the hashes computed. */
function countingLimiter(): HashingLimiter & { count: number } {
  const limiter = createHashingLimiter();
  return {
    count: 0,
    run(task) {
      this.count += 1;
      return limiter.run(task);
    },
  };
}

function setUp(user: Partial<User> = {}, options: Partial<PasswordCredentialsOptions<User>> = {}) {
  const users = new Map<string, User>([
    ['ada', { uid: '7', name: 'Ada', passwordHash: stored, ...user }],
    ['sso', { uid: '8', name: 'Sso', passwordHash: null }],
  ]);
  const limiter = countingLimiter();
  const logged: unknown[] = [];
  const logger = { error: (fields: object, message: string) => void logged.push([fields, message]) };
  const asked: string[] = [];
  const verify = passwordCredentials<User>({
    findUser: async (login) => {
      asked.push(login);
      return users.get(login);
    },
    limiter,
    logger,
    ...options,
  });
  const logIn = (login: unknown, password: unknown) => verify({ login, password }, {});
  return { users, limiter, logged, asked, verify, logIn };
}

describe('passwordCredentials', () => {
  it('hashes once, whether the user is known, unknown, without a password, or stored in an unknown format', async () => {
    const { users, limiter, logIn } = setUp();
    users.set('odd', { uid: '9', name: 'Odd', passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' });
    for (const [count, login] of ['ada', 'nobody', 'sso', 'odd'].entries()) {
      expect(await logIn(login, 'wrong')).toBeUndefined();
      expect(limiter.count, login).toBe(count + 1);
    }
  });

  it('says that the look-up has failed, with the error of the host as the cause, for a 503', async () => {
    const cause = new Error('down');
    const { logIn } = setUp({}, { findUser: () => Promise.reject(cause) });
    await expect(logIn('ada', PASSWORD)).rejects.toMatchObject({ code: 'unavailable', cause });
  });

  it.each([
    { findUser: 'x' },
    { findUser: async () => undefined, updateHash: 1 },
    { findUser: async () => undefined, iterations: 1_000 },
    { findUser: async () => undefined, verifiers: { md5: 'x' } },
    { findUser: async () => undefined, verifiers: { pbkdf2: async () => true } },
    { findUser: async () => undefined, verifyers: {} },
  ])('refuses the options %o', (options) => {
    const loose: object = options;
    expect(() => passwordCredentials(loose as PasswordCredentialsOptions<User>)).toThrow(TypeError);
  });
});

describe('passwordCredentials, reading what a request sent', () => {
  it.each([
    undefined,
    null,
    42,
    true,
    {},
    ['ada'],
    '',
    'x'.repeat(257),
    'a\u0000',
    '\ud800',
    'a\n',
    'a\u200Bda',
    'ad\u00ADa',
  ])('refuses the login %j without asking or hashing', async (login) => {
    const { logIn, asked, limiter } = setUp();
    await expect(logIn(login, PASSWORD)).rejects.toMatchObject({ code: 'login_invalid', status: 422 });
    expect([asked, limiter.count]).toEqual([[], 0]);
  });

  it.each([undefined, null, 42, {}, [PASSWORD], '', 'x'.repeat(1_025), 'ü'.repeat(513), '\udc00'])(
    'refuses the password %j, which nobody can have, before any hashing, known user or not',
    async (password) => {
      const { logIn, asked, limiter } = setUp();
      for (const login of ['ada', 'nobody', undefined]) {
        await expect(logIn(login, password)).rejects.toMatchObject({ code: 'password_invalid', status: 422 });
      }
      expect([asked, limiter.count]).toEqual([[], 0]);
    },
  );

  it('reads members of its own, never inherited ones', async () => {
    const { verify } = setUp();
    const inherited = Object.create({ login: 'ada', password: PASSWORD });
    await expect(verify(inherited, {})).rejects.toMatchObject({ code: 'password_invalid' });
    await expect(verify({ password: PASSWORD }, {})).rejects.toMatchObject({ code: 'login_invalid' });
  });
});

describe('passwordCredentials, before a stored password that it cannot read', () => {
  it.each([
    'pbkdf2$',
    'pbkdf2$4294967295$00$00',
    `pbkdf2$100000$${'0A'.repeat(7)}$${'0A'.repeat(32)}`,
    `pbkdf2$10000001$${'0a'.repeat(16)}$${'0a'.repeat(32)}`,
  ])(
    'hashes once for the unreadable text %j of our own format, and reports it without the hash',
    async (passwordHash) => {
      const { logIn, limiter, logged } = setUp({ passwordHash });
      expect(await logIn('ada', PASSWORD)).toBeUndefined();
      expect(limiter.count).toBe(1);
      expect(logged).toEqual([[{ format: 'pbkdf2' }, 'The stored password of a user cannot be read']]);
    },
  );

  it.each([
    ['hunter2$ecret', 'unknown'],
    ['5$secret', 'unknown'],
    [`5$${'s'.repeat(37)}`, 'unknown'],
    [`5$${'s'.repeat(38)}`, '5'],
    ['5f4dcc3b5aa765d61d8327deb882cf99$salt$rounds', 'unknown'],
    [`correct.horse.battery$${'staple'.repeat(6)}`, 'unknown'],
    [`$2y$12$${'N'.repeat(53)}`, '2y'],
    [`$argon2id$v=19$m=19456,t=2,p=1$${'c2FsdA'.repeat(4)}`, 'argon2id'],
    [`$6$${'s'.repeat(16)}$${'h'.repeat(86)}`, '6'],
    [`pbkdf2_sha256$600000$${'s'.repeat(22)}$${'h'.repeat(44)}`, 'pbkdf2_sha256'],
    [`{SSHA}${'h'.repeat(48)}`, 'SSHA'],
  ])(
    'names the format of the stored text %j as %s, and no part of what may be a password',
    async (passwordHash, format) => {
      const { logIn, logged } = setUp({ passwordHash });
      expect(await logIn('ada', PASSWORD)).toBeUndefined();
      expect(logged).toEqual([
        [{ format }, 'The stored password of a user is of a format that no verifier is given for'],
      ]);
    },
  );
});

describe('the rehash at a log-in', () => {
  const iterations = 110_000;

  it('replaces a text with fewer iterations than now, after a right password alone', async () => {
    const updates: [User, string, string][] = [];
    const { logIn } = setUp({}, { iterations, updateHash: async (...update) => void updates.push(update) });
    expect(await logIn('ada', 'wrong')).toBeUndefined();
    expect(updates).toEqual([]);
    expect(await logIn('ada', PASSWORD)).toMatchObject({ uid: '7' });
    const [[user, oldHash, newHash] = [undefined, '', '']] = updates;
    expect([user?.name, oldHash]).toEqual(['Ada', stored]);
    expect(newHash).toMatch(/^pbkdf2\$110000\$/);
    expect(await verifyPassword(newHash, PASSWORD)).toBe(true);
    expect(needsRehash(newHash, { iterations })).toBe(false);
  });

  it('replaces nothing that is as it should be', async () => {
    const updates: unknown[] = [];
    const { logIn, limiter } = setUp({}, { updateHash: async (...update) => void updates.push(update) });
    await logIn('ada', PASSWORD);
    expect([updates, limiter.count]).toEqual([[], 1]);
  });

  it('does not undo a log-in when it fails, and reports it without the hash', async () => {
    const { logIn, logged } = setUp(
      {},
      { iterations, updateHash: () => Promise.reject(new Error('read-only')) },
    );
    expect(await logIn('ada', PASSWORD)).toMatchObject({ uid: '7' });
    expect(logged).toMatchObject([
      [{ err: { message: 'read-only' } }, 'A stored password could not be replaced'],
    ]);
    expect(JSON.stringify(logged)).not.toContain('pbkdf2$');
  });

  it('waits for another log-in when hashing is busy', async () => {
    const sound = createHashingLimiter();
    const busy = createHashingLimiter({ maxConcurrent: 1, maxWaiting: 0 });
    let calls = 0;
    const limiter: HashingLimiter = {
      async run(task) {
        calls += 1;
        if (calls === 1) return await sound.run(task);
        const [, refused] = await Promise.allSettled([busy.run(() => Promise.resolve()), busy.run(task)]);
        throw refused.status === 'rejected' ? refused.reason : new Error('not busy');
      },
    };
    const { logIn, logged } = setUp({}, { iterations, limiter, updateHash: async () => {} });
    expect(await logIn('ada', PASSWORD)).toMatchObject({ uid: '7' });
    expect([calls, logged]).toEqual([2, []]);
  });
});

describe('stored texts of another format', () => {
  const salted = (password: string) =>
    `sha1$salt$${createHash('sha1').update(`salt${password}`).digest('hex')}`;
  const sha1 = async (hash: string, password: string) =>
    hash.length === salted('').length && timingSafeEqual(Buffer.from(hash), Buffer.from(salted(password)));

  it('are verified by the verifier of their tag, inside the limiter, and replaced by our own', async () => {
    const updates: string[][] = [];
    const { logIn, limiter } = setUp(
      { passwordHash: salted(PASSWORD) },
      { verifiers: { sha1 }, updateHash: async (_user, from, to) => void updates.push([from, to]) },
    );
    expect(await logIn('ada', 'wrong')).toBeUndefined();
    expect(limiter.count).toBe(1);
    expect(await logIn('ada', PASSWORD)).toMatchObject({ uid: '7' });
    expect(limiter.count).toBe(3);
    const [[from, to = ''] = []] = updates;
    expect(from).toBe(salted(PASSWORD));
    expect(await verifyPassword(to, PASSWORD)).toBe(true);
  });

  /** What the formats of others ignore: bcrypt reads 72 bytes. */
  const BCRYPT = '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW';
  const upTo = (bytes: number) => (_hash: string, password: string) =>
    Promise.resolve('x'.repeat(bytes).startsWith(password.slice(0, bytes)));

  it.each([
    [BCRYPT, '2b', 'x'.repeat(72), true],
    [BCRYPT, '2b', 'x'.repeat(73), false],
    [BCRYPT, '2b', 'é'.repeat(37), false],
    [`{bcrypt}${BCRYPT}`, 'bcrypt', 'x'.repeat(73), false],
    [`bcrypt$${BCRYPT}`, 'bcrypt', 'x'.repeat(73), false],
    [`bcrypt_sha256$${BCRYPT}`, 'bcrypt_sha256', 'x'.repeat(73), true],
    ['$argon2id$v=19$m=65536$c2FsdA$aGFzaA', 'argon2id', 'x'.repeat(200), true],
  ])(
    'are kept where they ignore a part of the password: %s, %s',
    async (passwordHash, tag, password, isReplaced) => {
      const updates: string[] = [];
      const verify = upTo(72);
      const { logIn } = setUp(
        { passwordHash },
        {
          verifiers: { [tag]: (hash, given) => verify(hash, given.replaceAll('é', 'x')) },
          updateHash: async (_user, _from, to) => void updates.push(to),
        },
      );
      expect(await logIn('ada', password)).toMatchObject({ uid: '7' });
      expect(updates).toHaveLength(isReplaced ? 1 : 0);
    },
  );

  it('are kept where their verifier says that they ignore a part, and replaced otherwise', async () => {
    const updates: string[] = [];
    const { logIn } = setUp(
      { passwordHash: 'descrypt$ab$x' },
      {
        verifiers: {
          descrypt: async (_hash, password) =>
            password.startsWith('12345678') && (password.length > 8 ? 'partial' : true),
        },
        updateHash: async (_user, _from, to) => void updates.push(to),
      },
    );
    expect(await logIn('ada', '12345678 and more')).toMatchObject({ uid: '7' });
    expect(updates).toEqual([]);
    expect(await logIn('ada', '1234567')).toBeUndefined();
    expect(await logIn('ada', '12345678')).toMatchObject({ uid: '7' });
    expect(await verifyPassword(updates[0], '12345678')).toBe(true);
  });

  it.each([
    ['Werkzeug', 'pbkdf2:sha256:600000$c2FsdA$9a4c'],
    ['Werkzeug', 'scrypt:32768:8:1$c2FsdA$9a4c'],
    ['ASP.NET Identity', 'AQAAAAEAACcQAAAAEJ0IL0zFyHSJDVqIHjuHjbvFN9i7aWuvvmkTzWmmKMm2'],
    ['Firebase', 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='],
    ['Spring', '{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc'],
    ['Spring', '{pbkdf2@SpringSecurity_v5_8}dc5c8f8e9a5e3c'],
  ])('without a tag are for the verifier of the empty tag: %s, %s', async (_, passwordHash) => {
    const updates: string[][] = [];
    const { logIn } = setUp(
      { passwordHash },
      {
        verifiers: { '': async (hash, password) => hash === passwordHash && password === PASSWORD },
        updateHash: async (_user, from, to) => void updates.push([from, to]),
      },
    );
    expect(await logIn('ada', 'wrong')).toBeUndefined();
    expect(await logIn('ada', PASSWORD)).toMatchObject({ uid: '7' });
    expect(updates).toEqual([[passwordHash, expect.stringMatching(/^pbkdf2\$/)]]);
  });

  it('are refused without a verifier, one named like a member of every object included', async () => {
    for (const passwordHash of ['md5$x$y', 'constructor$x', '__proto__$x']) {
      const { logIn, logged } = setUp({ passwordHash });
      expect(await logIn('ada', PASSWORD)).toBeUndefined();
      expect(logged).toHaveLength(1);
      expect(JSON.stringify(logged)).not.toContain('$x');
    }
  });

  it('are not accepted for a verifier that says anything but true', async () => {
    const truthy: unknown = async () => 'yes';
    const verifiers = { md5: truthy as () => Promise<boolean> };
    const { logIn } = setUp({ passwordHash: 'md5$x$y' }, { verifiers });
    expect(await logIn('ada', PASSWORD)).toBeUndefined();
  });
});

describe('createSessions with passwordCredentials', () => {
  it('answers 200, 401, 422 for each that is impossible, and 503 with Retry-After when hashing is busy', async () => {
    const limiter = createHashingLimiter({ maxConcurrent: 1, maxWaiting: 0 });
    const verifyCredentials = passwordCredentials({
      findUser: async (login) => (login === 'ada' ? { uid: '7', passwordHash: stored } : undefined),
      limiter,
    });
    const host = sessionHost({ verifyCredentials });
    const logIn = (login: string, password: string) => new Browser(host).logIn(login, password);
    expect((await logIn('ada', PASSWORD)).status).toBe(200);
    expect((await logIn('ada', 'wrong')).status).toBe(401);
    for (const [login, password, code] of [
      ['ada', '', 'password_invalid'],
      ['a\u0000', PASSWORD, 'login_invalid'],
    ] as const) {
      const refused = await logIn(login, password);
      expect([refused.status, await refused.json()]).toMatchObject([422, { code }]);
    }
    const [first, second] = await Promise.all([logIn('ada', PASSWORD), logIn('ada', PASSWORD)]);
    expect(first?.status).toBe(200);
    expect(second?.status).toBe(503);
    expect(second?.headers.get('retry-after')).toBe('1');
    expect(await second?.json()).toMatchObject({ code: 'hashing_busy' });
    expect(host.logged).toEqual([]);
  });

  it('names the mistake in the log if a uid is a number', async () => {
    const errors: unknown[] = [];
    const row: unknown = { uid: 7, passwordHash: stored };
    const byNumber = passwordCredentials({ findUser: async () => row as User });
    const own: unknown = async () => ({ uid: 7 });
    for (const verifyCredentials of [byNumber, own as typeof byNumber]) {
      const logger = { error: ({ err }: { err?: Error }) => void errors.push(err?.message) };
      const host = sessionHost({ verifyCredentials, logger });
      expect((await new Browser(host).logIn('ada', PASSWORD)).status).toBe(503);
    }
    const rule =
      'must be a string of 1 to 128 characters without U+0000, one of them visible, got number: convert it with String(uid)';
    expect(errors).toEqual([
      `The uid of an account ${rule}`,
      `The uid that verifyCredentials returns ${rule}`,
    ]);
  });
});
