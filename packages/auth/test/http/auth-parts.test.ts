import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { membersOf } from '../../../../test/structure/declarations.ts';
import { createAuth } from '../../src/auth.ts';
import { partsOf, requireParts } from '../../src/http/auth-parts.ts';
import { KEY } from '../tokens/forge-token.ts';

const auth = createAuth({ signingKey: KEY });

it('an instance has the members of its public interface, and no others', () => {
  const read = (file: string) => readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
  const documented = [
    ...membersOf(read('auth.ts'), 'Auth'),
    ...membersOf(read('http/token-cookies.ts'), 'TokenCookies'),
  ];
  expect(Object.keys(auth).sort()).toEqual(documented.sort());
});

it('a copy of an instance keeps its parts', () => {
  expect(partsOf({ ...auth })).toBe(requireParts(auth));
});

it('what createAuth did not make is refused where its parts are needed', () => {
  const { options, authenticate, assertSameOrigin } = auth;
  const own = { options, authenticate, assertSameOrigin };
  expect(partsOf(own)).toBeUndefined();
  expect(() => requireParts(own)).toThrow('auth must be an instance that createAuth made');
});
