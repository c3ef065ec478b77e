import { expect, it } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { partsOf, requireParts } from '../../src/http/auth-parts.ts';
import { KEY } from '../tokens/forge-token.ts';

const auth = createAuth({ signingKey: KEY });

it('a copy of an instance keeps its parts', () => {
  expect(partsOf({ ...auth })).toBe(requireParts(auth));
});

it('what createAuth did not make is refused where its parts are needed', () => {
  const { options, authenticate, assertSameOrigin } = auth;
  const own = { options, authenticate, assertSameOrigin };
  expect(partsOf(own)).toBeUndefined();
  expect(() => requireParts(own)).toThrow('auth must be an instance that createAuth made');
});
