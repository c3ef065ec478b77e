import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeSpansIn, rowsUnder } from '../../../../test/readme/markdown.ts';
import { MAX_CONNECTION_AGE_MS, MAX_IDLE_CONNECTIONS } from '../../src/egress/connections.ts';
import { BODY_GRACE_MS } from '../../src/egress/exchange.ts';
import { MAX_ALLOWED_PORTS } from '../../src/egress/port-policy.ts';
import { MAX_RESOLVED_ADDRESSES } from '../../src/egress/resolve-addresses.ts';
import { MAX_HEAD_BYTES, MAX_INTERIM_RESPONSES } from '../../src/egress/response-parser.ts';
import { MAX_READ_BODY_BYTES, MAX_RESPONSE_BYTES } from '../../src/egress/response-reader.ts';
import { MAX_KEPT_RESPONSE_BYTES } from '../../src/egress/response-text.ts';
import { GLOBAL_UNICAST_IPV6, REFUSED_IPV6_BLOCKS } from '../../src/egress/special-purpose-blocks.ts';
import { MAX_URL_LENGTH } from '../../src/egress/url-policy.ts';
import { SEND_DETAILS } from '../egress/failure-codes.ts';

const PAGE = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');

const RETRIES = readFileSync(new URL('../../docs/retries.md', import.meta.url), 'utf8');

const BOUNDS = new Map(rowsUnder(PAGE, 'what').map(([what = '', bound = '']) => [what, bound]));

it('docs/retries.md names every detail of an attempt', () => {
  const named = rowsUnder(RETRIES, 'of').flatMap(([, details = '']) => codeSpansIn(details));
  const details = new Set(named.filter((span) => /^[a-z][a-z0-9_]+$/.test(span)));
  expect([...details].sort()).toEqual(Object.keys(SEND_DETAILS).sort());
});

describe('docs/security.md', () => {
  it('names tests that exist', () => {
    const named = codeSpansIn(PAGE).filter((span) => span.startsWith('test/'));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
  });

  it.each([
    ['URL', MAX_URL_LENGTH],
    ['`egress.allowedPorts`', MAX_ALLOWED_PORTS],
    ['addresses of a name', MAX_RESOLVED_ADDRESSES],
    ['status line and response headers', MAX_HEAD_BYTES],
    ['interim (1xx) responses', MAX_INTERIM_RESPONSES],
    ['response body, from the status on', BODY_GRACE_MS],
    ['response body read', MAX_READ_BODY_BYTES],
    ['everything received', MAX_RESPONSE_BYTES],
    ['kept of a response, headers and body', MAX_KEPT_RESPONSE_BYTES],
    ['idle connections', MAX_IDLE_CONNECTIONS],
  ])('gives the bound of: %s', (what, bound) => {
    expect(BOUNDS.get(what)).toMatch(new RegExp(`^${bound.toLocaleString('en-US')}\\b`));
  });

  it('gives the greatest age of an idle connection', () => {
    const age = `${MAX_CONNECTION_AGE_MS.toLocaleString('en-US')} ms old`;
    expect(BOUNDS.get('idle connections')).toContain(age);
  });

  it('names the IPv6 blocks that are refused', () => {
    const paragraph = PAGE.replaceAll('\n', ' ');
    for (const cidr of [GLOBAL_UNICAST_IPV6, ...REFUSED_IPV6_BLOCKS.map((block) => block.cidr)]) {
      expect(paragraph).toContain(cidr);
    }
  });
});
