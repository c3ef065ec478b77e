import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeBlocksIn, codeSpansIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { literalsOf, membersOf } from '../../../../test/structure/declarations.ts';
import { ERROR_CODES } from '../../src/error-codes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const documents = ['README.md', ...guides.map((name) => `docs/${name}`)];
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The names in the first column of a guide's table of options. */
function optionRowsOf(guide: string): string[] {
  const rows = rowsUnder(read(`docs/${guide}`), 'option');
  return rows.flatMap(([options = '']) => codeSpansIn(options)).map((option) => option.split('(')[0] ?? '');
}

/** The calls in a document's samples that hash passwords, and whether each says how often. */
function hashingCallsIn(document: string): { readonly call: string; readonly saysIterations: boolean }[] {
  return codeBlocksIn(read(document)).flatMap(({ code }) => {
    // Constants of the sample that hold the option: `const options = { iterations: 600_000 }`.
    const holders = [...code.matchAll(/const (\w+) = \{[^}]*\biterations\b/g)].map(([, name]) => name);
    const saying = new RegExp(`\\b(?:${['iterations', ...holders].join('|')})\\b`);
    const calls = [...code.matchAll(/\b(?:passwordCredentials|hashPassword)\(/g)];
    return calls.map(({ index }) => {
      const call = callAt(code, index);
      return { call, saysIterations: saying.test(call) };
    });
  });
}

/** The call that begins at `start`, up to the bracket that closes it. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let end = start; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (text[end] === ')' && depth === 0) return text.slice(start, end + 1);
  }
  return text.slice(start);
}

describe('the guides', () => {
  it.each([
    ['src/auth-options.ts', 'AuthOptions', 'options.md'],
    ['src/sessions/sessions-options.ts', 'SessionsOptions', 'sessions.md'],
    ['src/sessions/log-in/password-credentials.ts', 'PasswordCredentialsOptions', 'passwords.md'],
    ['src/api-keys/api-keys-options.ts', 'ApiKeysOptions', 'api-keys.md'],
    ['src/client/start-status-poll.ts', 'StatusPollOptions', 'client.md'],
    ['src/one-time-tokens/one-time-tokens-options.ts', 'OneTimeTokensOptions', 'one-time-tokens.md'],
    ['src/one-time-tokens/token-requests-options.ts', 'TokenRequestsOptions', 'password-reset.md'],
  ])('have a row for each option in %s (%s), and none besides', (file, name, guide) => {
    const members = membersOf(read(file), name);
    expect(members.length).toBeGreaterThan(2);
    expect(optionRowsOf(guide).sort()).toEqual(members.sort());
  });

  it('have a row for each error code, with its status, and none besides', () => {
    const rows = rowsUnder(read('docs/errors.md'), '`code`');
    const written = rows.map(([code = '', status]) => [codeSpansIn(code).join(), Number(status)]);
    const codes = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]);
    expect(written.sort()).toEqual(codes.sort());
  });

  it('have a row for each reason why a token is invalid, and none besides', () => {
    const reasons = literalsOf(read('src/errors.ts'), 'InvalidTokenReason');
    const rows = rowsUnder(read('docs/access-tokens.md'), '`reason`');
    expect(rows.flatMap(([reason = '']) => codeSpansIn(reason)).sort()).toEqual(reasons.sort());
    expect(reasons.length).toBeGreaterThan(5);
  });

  it('name the iterations wherever a sample hashes passwords', () => {
    const calls = documents.flatMap(hashingCallsIn);
    expect(calls.length).toBeGreaterThan(8);
    expect(calls.filter(({ saysIterations }) => !saysIterations)).toEqual([]);
  });
});
