import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import * as redaction from '../src/redacted-error.ts';
import { inOneTest } from './in-one-test.ts';

/** An error of the package whose rules these are. */
class OwnError extends Error {
  override readonly name = 'OwnError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const RULES: redaction.Redaction = {
  isOwn: (error) => error instanceof OwnError,
  hasQuotingCause: (error) => error instanceof OwnError && error.code === 'schema_failed',
};
const describeError = (error: unknown) => redaction.describeError(error, RULES);
const redactedError = (error: unknown) => redaction.redactedError(error, RULES);

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJ1aWQiOiI0MiJ9.c2lnbmF0dXJl';
const HEX = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bb22c3f2a1d0e9f8a7b6c';

/** Everything of a value, hidden members included. */
const everythingOf = (value: unknown) =>
  inspect(value, { depth: 20, showHidden: true, maxStringLength: null });

/** As pg and mysql2 make them: the row, or the statement, hangs on the error. */
const driverError = (message: string) =>
  Object.assign(new Error(message), {
    code: '23514',
    errno: 4025,
    sqlState: '23000',
    constraint: 'refused',
    detail: `Failing row contains (1, ${SECRET}).`,
    sql: `update webhooks set secret = '${SECRET}'`,
    parameters: [SECRET],
  });

describe('what may be told of an error', () => {
  inOneTest([
    ['an error', driverError('refused')],
    ['the cause of an error', new OwnError('storage_unavailable', 'x', { cause: driverError('refused') })],
    ['the cause of a cause', new Error('a', { cause: new Error('b', { cause: driverError('refused') }) })],
    ['one of several errors', new AggregateError([new Error('a'), driverError('refused')], 'both failed')],
    ['several errors below a cause', new Error('a', { cause: new AggregateError([driverError('x')], 'b') })],
    [
      'an error of another realm',
      runInNewContext('Object.assign(new Error("x"), { detail: s })', { s: SECRET }),
    ],
    ['a thrown object', { message: 'refused', detail: SECRET }],
    ['a thrown text', `refused ${SECRET}`],
    ['a secret as its message', new Error(SECRET)],
    ['a secret as its name', Object.assign(new Error('x'), { name: SECRET })],
    ['a secret as its code', Object.assign(new Error('x'), { code: SECRET })],
    ['a secret as what its code contains', Object.assign(new Error('x'), { code: { [SECRET]: SECRET } })],
    ['a secret in its stack', new Error(`x\n    at ${SECRET}\n    at y`)],
    ['a stack made by hand', Object.assign(new Error('x'), { stack: `x\n    at ${SECRET} (file:1:1)` })],
    [
      'a member with a getter',
      Object.defineProperty(new Error('x'), 'cause', { get: () => driverError('y') }),
    ],
  ])('holds no secret that hangs on %s', (_, error) => {
    for (const told of [describeError(error), redactedError(error)]) {
      // Not `toContain`, which prints all of it.
      expect(everythingOf(told).includes(SECRET.slice(6)), 'the secret is told').toBe(false);
    }
  });

  inOneTest([
    [`Duplicate entry '${SECRET}' for key 'secrets'`, "Duplicate entry '…'"],
    ["Duplicate entry 'it's hunter2' for key 'keys'", "Duplicate entry '…'"],
    ['invalid input syntax for type json: "hunter2"', "invalid input syntax for type json: '…'"],
    ['ungültige Eingabesyntax für Typ integer: »hunter2«', "ungültige Eingabesyntax für Typ integer: '…'"],
    ['Unexpected token \'h\', "hunter2" is not valid JSON', "Unexpected token '…' is not valid JSON"],
    ["Table 'shop.webhooks' doesn't exist", "Table '…' doesn't exist"],
    ["can't reach it, it doesn't answer", "can't reach it, it doesn't answer"],
    [`the token ${JWT} is over`, 'the token … is over'],
    ['no user with pbkdf2$600000$c2FsdA$aGFzaA', 'no user with …'],
    [`no session of ${HEX}`, 'no session of …'],
    [
      'cannot connect to postgres://app:hunter2@db.example/shop',
      'cannot connect to postgres://…@db.example/shop',
    ],
    ['cannot reach redis://app:p@ss/w0rd@db.example/0', 'cannot reach redis://…@db.example/0'],
    ['bad host=db password=hunter2 port=1', 'bad host=db password=… port=1'],
    ['refused: Bearer abc-def', 'refused: Bearer …'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['no such table: webhook_idempotency_keys_by_age', 'no such table: webhook_idempotency_keys_by_age'],
    ['x '.repeat(3_000), ''],
  ])('keeps of the message %j what is no value', (message, kept) => {
    expect(describeError(new Error(message)).message).toBe(kept);
    expect(redactedError(new Error(message)).message).toBe(kept);
  });

  it('keeps how a driver classifies it, and where it happened', () => {
    const error = new OwnError('storage_unavailable', 'The storage failed', {
      cause: driverError('refused'),
    });
    const classified = { code: '23514', errno: 4025, sqlState: '23000', constraint: 'refused' };
    expect(describeError(error)).toEqual({
      name: 'OwnError',
      code: 'storage_unavailable',
      message: 'The storage failed',
      stack: expect.stringMatching(/^ +at .*redacted-error\.test/),
      cause: {
        name: 'Error',
        message: 'refused',
        ...classified,
        stack: expect.stringMatching(/^ +at driverError .*redacted-error\.test/),
      },
    });
    const redacted = redactedError(error.cause);
    expect(redacted).toBeInstanceOf(Error);
    expect({ ...redacted }).toEqual(classified);
    expect(redacted.stack).toMatch(/^Error: refused\n +at driverError .*redacted-error\.test/);
  });

  it('shows what all errors of an AggregateError say', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
    const errors = [refused, new Error('timed out')];
    const redacted = redactedError(new AggregateError(errors));
    expect(redacted).toBeInstanceOf(AggregateError);
    expect(redacted).toMatchObject({ errors: [{ code: 'ECONNREFUSED' }, { message: 'timed out' }] });
  });

  it('keeps nothing of what an error of the code of the host says over a payload', () => {
    const cause = new Error('card 4711', { cause: new AggregateError([new Error('card 4711')]) });
    const described = describeError(new OwnError('schema_failed', 'The schema threw', { cause }));
    expect(described).toMatchObject({ message: 'The schema threw', cause: { name: 'Error', message: '' } });
    expect(JSON.stringify(described)).not.toContain('4711');
  });

  it('keeps what an error of the package quotes, and what looks like no token', () => {
    const error = new OwnError('refused', `The table "webhooks" refused ${HEX}`);
    expect(describeError(error).message).toBe('The table "webhooks" refused …');
  });

  it('keeps none of the texts that the caller names, but those that words hold', () => {
    const secrets = ['ab', 'hunter', 'hunter two'];
    const cause = new OwnError('refused', 'not "hunter"');
    const told = redaction.describeError(new Error('about hunter two', { cause }), { ...RULES, secrets });
    expect(told).toMatchObject({ message: 'about …', cause: { message: 'not "…"' } });
  });

  it('is bounded, however deep, wide or circular the error is', () => {
    const circular = new Error('x');
    circular.cause = circular;
    const wide = new AggregateError(Array.from({ length: 1_000 }, () => circular));
    expect(JSON.stringify(describeError(new Error('x', { cause: wide }))).length).toBeLessThan(100_000);
    expect(describeError(wide).errors).toHaveLength(5);
  });

  inOneTest<[string, unknown]>([
    [
      'an error that cannot be looked at',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('x');
          },
        },
      ),
    ],
    ['null', null],
    ['nothing', undefined],
    ['a number', 7],
    ['a symbol', Symbol('x')],
  ])('is something even of %s', (_, error) => {
    expect(describeError(error)).toMatchObject({ name: expect.any(String), message: expect.any(String) });
    expect(redactedError(error)).toBeInstanceOf(Error);
  });
});
