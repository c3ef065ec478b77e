import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeSpansIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { entryDocstringsOf } from '../../../../test/structure/declarations.ts';
import { type AuthErrorCode, ERROR_CODES } from '../../src/error-codes.ts';
import { AuthError, ErrInvalidToken, ErrNoToken, ErrTokenExpired } from '../../src/errors.ts';
import { problemFor } from '../../src/http/problem.ts';

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

/** The rows of the page's table. */
const rows = rowsUnder(page, '`code`').map(([code = '', status = '', when = '']) => ({
  code: codeSpansIn(code).join(),
  status: Number(status),
  when,
}));

const CLASSES: Readonly<Partial<Record<AuthErrorCode, string>>> = {
  token_missing: new ErrNoToken().name,
  token_invalid: new ErrInvalidToken().name,
  token_expired: new ErrTokenExpired().name,
};

const codes = Object.keys(ERROR_CODES).filter((code): code is AuthErrorCode => code in ERROR_CODES);

describe('the page of errors', () => {
  it('has one row for each code, and none besides', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual([...codes].sort());
  });

  it.each(codes)('says the status of %s as the code has it', (code) => {
    expect(rows).toContainEqual({ code, status: ERROR_CODES[code].status, when: expect.any(String) });
  });

  it('names the classes that codes have of their own', () => {
    const named = [...page.matchAll(/`(\w+)` \(`(Err\w+)`\)/g)].map(([, code, name]) => [code, name]);
    expect(Object.fromEntries(named)).toEqual(CLASSES);
  });

  it.each(codes)('mentions Retry-After for %s exactly if the answer has it', (code) => {
    const isAnswered = 'retry-after' in problemFor(new AuthError(code, 'for the test')).headers;
    const isWritten = rows.find((row) => row.code === code)?.when.includes('Retry-After');
    if (code !== 'unavailable') expect(isWritten).toBe(isAnswered);
  });

  it('says of each code when it is met as its entry does, besides the references', () => {
    const source = readFileSync(new URL('../../src/error-codes.ts', import.meta.url), 'utf8');
    const meanings = rows.map(({ code, when }) => [
      code,
      `${when.slice(0, 1).toUpperCase()}${when.slice(1).replace(/ \(\[[^\]]*\]\([^)]*\)\)/, '')}.`,
    ]);
    expect(entryDocstringsOf(source, 'ERROR_CODES')).toEqual(Object.fromEntries(meanings));
  });

  it.each(codes)('answers %s with its own status and a text of its own', (code) => {
    const { status, body } = problemFor(new AuthError(code, 'for the test'));
    expect(status).toBe(ERROR_CODES[code].status);
    expect(body).toMatchObject({
      code,
      status,
      title: expect.stringMatching(/\w/),
      detail: expect.stringMatching(/\w/),
    });
  });
});
