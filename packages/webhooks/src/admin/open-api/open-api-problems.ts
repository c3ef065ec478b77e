import { PROBLEM_WORDS, type ProblemCode } from '../../error-codes.ts';
import { PROBLEMS, TITLES } from '../admin-problem.ts';
import type { Route } from '../routes/route.ts';
import { problem } from '../schemas/answers.ts';
import { noBody } from '../schemas/bodies.ts';
import { schemaReference } from './documentation.ts';

type Json = Readonly<Record<string, unknown>>;

/** Statuses with which the code of the host's own error may replace ours. */
const HOST_CODES: readonly number[] = [401, 403];

/**
 * Every code that a route can answer: those that follow from its method, path and body, and its
 * own.
 */
export function problemsOf(route: Route): ProblemCode[] {
  const codes = new Set<ProblemCode>([
    'unauthenticated',
    'forbidden',
    'insufficient_scope',
    // Every route refuses an unknown query parameter.
    'validation_failed',
    'internal_error',
    'authorization_unavailable',
    ...route.problems,
  ]);
  if (route.path.includes('{')) codes.add('not_found');
  if (route.isConditional) codes.add('malformed_if_match').add('precondition_failed');
  if (route.method !== 'GET') {
    codes.add('cross_site').add('read_only').add('other_user');
    codes.add('body_unreadable').add('body_too_large');
  }
  if (route.body !== noBody) codes.add('malformed_json').add('unsupported_media_type');
  const order = Object.keys(PROBLEMS);
  return [...codes].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/**
 * The error responses of a route by status, each a reference to one of {@link problemResponses}.
 */
export function problemReferences(route: Route): Json {
  const references = byStatus(problemsOf(route)).map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/${responseName(status, codes)}` },
  ]);
  return Object.fromEntries(references);
}

/**
 * Every response that {@link problemReferences} refers to, by name: its status and its possible
 * codes.
 */
export function problemResponses(routes: readonly Route[]): Json {
  const responses = routes
    .flatMap((route) => byStatus(problemsOf(route)))
    .map(([status, codes]) => [responseName(status, codes), problemResponse(status, codes)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(responses);
}

type Status = keyof typeof TITLES;

function byStatus(codes: readonly ProblemCode[]): [Status, ProblemCode[]][] {
  const groups = new Map<Status, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups];
}

function responseName(status: Status, codes: readonly ProblemCode[]): string {
  return [status, ...codes].join('.');
}

function problemResponse(status: Status, codes: readonly ProblemCode[]): Json {
  const meanings = codes.map((code) => `- \`${code}\`: ${PROBLEM_WORDS[code]}`);
  const hostCode =
    '- any other: the `code` of the error that the host’s authorisation threw, such as `token_expired`.';
  const isOpen = HOST_CODES.includes(status);
  const properties = {
    status: { const: status },
    code: isOpen ? { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$', examples: codes } : { enum: codes },
  };
  // A payload may be refused as a whole.
  const hasErrors = codes.every((code) => code === 'validation_failed' || code === 'url_not_public');
  return {
    description: [TITLES[status], ...meanings, ...(isOpen ? [hostCode] : [])].join('\n'),
    ...headersOf(status),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            schemaReference(problem),
            {
              type: 'object',
              properties,
              required: ['status', 'code', ...(hasErrors ? ['errors'] : [])],
            },
          ],
        },
      },
    },
  };
}

function headersOf(status: Status): Json {
  const text = (description: string) => ({ description, schema: { type: 'string' } });
  if (status === 401) {
    return { headers: { 'WWW-Authenticate': text('`Bearer`, whichever credential the host expects.') } };
  }
  if (status === 429 || status === 503)
    return { headers: { 'Retry-After': text('The seconds to wait before trying again.') } };
  return {};
}
