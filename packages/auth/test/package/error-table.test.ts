import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeSpansIn, listItemsIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { docstringOf } from '../../../../test/structure/declarations.ts';
import {
  AuthError,
  type AuthErrorCode,
  ErrInvalidToken,
  ErrNoToken,
  ErrTokenExpired,
  HTTP_STATUS,
} from '../../src/errors.ts';
import { problemFor } from '../../src/http/problem.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The rows of the README's error table. */
const rows = rowsUnder(readme, '`code`').map(([code = '', name = '', status = '', when = '']) => ({
  code: codeSpansIn(code).join(),
  name: codeSpansIn(name).join(),
  status: Number(status),
  when,
}));

const CLASSES: Readonly<Partial<Record<AuthErrorCode, string>>> = {
  token_missing: new ErrNoToken().name,
  token_invalid: new ErrInvalidToken().name,
  token_expired: new ErrTokenExpired().name,
};

const codes = Object.keys(HTTP_STATUS).filter((code): code is AuthErrorCode => code in HTTP_STATUS);

describe("the README's error table", () => {
  it('has one row for each code, and none besides', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual([...codes].sort());
  });

  it.each(codes)('says the class and the status of %s as the code has them', (code) => {
    expect(rows).toContainEqual({
      code,
      name: CLASSES[code] ?? 'AuthError',
      status: HTTP_STATUS[code],
      when: expect.stringMatching(/\w{3}/),
    });
  });

  it.each(codes)('mentions Retry-After for %s exactly if the answer has it', (code) => {
    const isAnswered = 'retry-after' in problemFor(new AuthError(code, 'for the test')).headers;
    const isWritten = rows.find((row) => row.code === code)?.when.includes('Retry-After');
    if (code !== 'unavailable') expect(isWritten).toBe(isAnswered);
  });

  it('says in the docstring of the union what each code means', () => {
    const source = readFileSync(new URL('../../src/errors.ts', import.meta.url), 'utf8');
    const items = listItemsIn(docstringOf(source, 'AuthErrorCode'));
    expect(items.map((item) => codeSpansIn(item)[0])).toEqual(codes);
    expect(items.filter((item) => !item.includes('`: '))).toEqual([]);
  });

  it.each(codes)('answers %s with its own status and a text of its own', (code) => {
    const { status, body } = problemFor(new AuthError(code, 'for the test'));
    expect(status).toBe(HTTP_STATUS[code]);
    expect(body).toMatchObject({
      code,
      status,
      title: expect.stringMatching(/\w/),
      detail: expect.stringMatching(/\w/),
    });
  });
});
