import { describe, expect, it } from 'vitest';
import { createAuth } from '../../src/auth.ts';
import { Claims } from '../../src/claims.ts';
import { isAuthError } from '../../src/errors.ts';
import { setClaims } from '../../src/http/request-claims.ts';
import { AuthExceptionFilter } from '../../src/nest/auth-exception-filter.ts';
import { CurrentClaims, claimsOf } from '../../src/nest/claims-of.ts';
import { requireApiKey, requireAuth, requireRecentLogin, requireScope } from '../../src/nest/guards.ts';
import { fakeClock, START } from '../fake-clock.ts';
import { KEY } from '../tokens/forge-token.ts';
import type { Answer, Field, GraphqlError, StartGraphql } from './graphql-server.ts';

const LEAKED_KEY = 'leaked-key-of-user-7';
const bearer = { authorization: `Bearer ${LEAKED_KEY}` };

/** Two instances, a key of user 7, and the cookies of user 42 and administrator 1. */
async function people() {
  const [clock, lines] = [fakeClock(), [] as object[]];
  const logger = { error() {}, debug: (fields: object) => void lines.push(fields) };
  const users = createAuth({ signingKey: KEY, cookiePath: '/users', clock, logger });
  const admins = createAuth({ signingKey: KEY, cookiePath: '/admins', clock, logger });
  const token = await users.issueAccessToken('42', ['profile'], { authTime: START - 7_200 });
  const fresh = await admins.issueAccessToken('1', ['admin'], { authTime: START });
  const pairOf = (cookie: string) => cookie.slice(0, cookie.indexOf(';'));
  const ofUser = pairOf(users.accessTokenCookie(token));
  const both = { cookie: `${ofUser}; ${pairOf(admins.accessTokenCookie(fresh))}` };
  const byKey = requireApiKey(() => ({ uid: '7', scopes: ['ping'] }), { auth: users });
  return { users, admins, byKey, cookie: { cookie: ofUser }, both, lines };
}

/** Who a resolver takes the user for, once all guards of the request have run. */
async function whoIs(from: string, context: unknown, info: object): Promise<string> {
  await new Promise(setImmediate);
  const { req, request } = context as { req?: object; request?: object };
  try {
    return claimsOf(from === 'info' ? info : (req ?? request ?? {})).uid;
  } catch (error) {
    if (from === 'code' && isAuthError(error)) return `${error.code} ${error.reason}`;
    throw error;
  }
}

const fieldWith = (guards: Field['guards'] = [], of: Field['of'] = 'Query'): Field => ({
  guards,
  of,
  resolve: (_root: unknown, { from }: { from: string }, context: unknown, info: object) =>
    whoIs(from, context, info),
});

const codeOf = ({ extensions }: GraphqlError) => extensions?.code;
const codesOf = ({ errors = [] }: Answer) => errors.map(codeOf);

/** What the guards promise on resolvers, whatever serves GraphQL. */
export function graphqlContract(name: string, start: StartGraphql): void {
  describe(`guards of GraphQL's fields on ${name}`, () => {
    it('keep a leaked key apart from the cookie of the same request', async () => {
      const { users, byKey, cookie, lines } = await people();
      const profile = fieldWith([requireAuth(users), requireScope('profile')]);
      const ping = fieldWith([byKey, requireScope('ping')]);
      const { ask } = await start({ fields: { profile, ping } });
      const headers = { ...cookie, ...bearer };
      for (const [first, second] of [
        ['profile', 'ping'],
        ['ping', 'profile'],
      ]) {
        lines.length = 0;
        // The request belongs to both: a resolver that reads it gets neither.
        const shared = await ask(`{ ${first}(from: "request") ${second}(from: "request") }`, headers);
        expect(shared.data).toEqual({ profile: null, ping: null });
        expect(codesOf(shared)).toEqual(['token_invalid', 'token_invalid']);
        expect(lines).toMatchObject([{ reason: 'ambiguous', path: '/graphql' }]);
        const own = await ask(`{ ${first}(from: "info") ${second}(from: "info") }`, headers);
        expect(own).toEqual({ data: { profile: '42', ping: '7' } });
      }
      expect(await ask('{ profile(from: "code") ping(from: "code") }', headers)).toEqual({
        data: { profile: 'token_invalid ambiguous', ping: 'token_invalid ambiguous' },
      });
      // One credential is no contradiction, however many fields it has.
      const query = '{ profile(from: "request") again: profile(from: "request") }';
      expect(await ask(query, headers)).toEqual({ data: { profile: '42', again: '42' } });
    });

    it('keep the users of two instances apart, and judge the log-in of their own', async () => {
      const { users, admins, both } = await people();
      const { ask, askBatch } = await start({
        fields: {
          myOrders: fieldWith([requireAuth(users)]),
          adminName: fieldWith([requireAuth(admins)]),
          transfer: fieldWith([requireAuth(users), requireRecentLogin(300)], 'Mutation'),
          touch: fieldWith([requireAuth(admins), requireRecentLogin(300)], 'Mutation'),
        },
      });
      const refused = await ask('{ myOrders(from: "request") adminName(from: "request") }', both);
      expect(refused.data).toEqual({ myOrders: null, adminName: null });
      const query = '{ myOrders(from: "info") adminName(from: "info") }';
      expect(await ask(query, both)).toEqual({ data: { myOrders: '42', adminName: '1' } });

      const mutations = ['mutation { transfer(from: "info") }', 'mutation { touch(from: "info") }'];
      const batch = [...mutations, ...[...mutations].reverse(), ...mutations];
      const answers = await askBatch(batch, both);
      expect(answers.map(({ data }) => data)).toEqual(
        batch.map((mutation) => (mutation === mutations[0] ? { transfer: null } : { touch: '1' })),
      );
      expect(answers.flatMap(codesOf)).toEqual(Array(3).fill('login_required'));
    });

    it('show an unguarded field nobody, and no field the scopes of its sibling', async () => {
      const { users, byKey, cookie } = await people();
      const open = fieldWith();
      const current: Field = { parameters: [CurrentClaims()], resolve: ({ uid }: Claims) => uid };
      const fields = {
        ping: fieldWith([byKey]),
        mine: { ...current, guards: [requireAuth(users)] },
        current,
        open,
        scoped: fieldWith([requireScope('ping')]),
      };
      const { ask } = await start({ fields });
      const query = '{ ping(from: "info") mine current open(from: "info") scoped(from: "info") }';
      const answer = await ask(query, { ...cookie, ...bearer });
      expect(answer.data).toEqual({ ping: '7', mine: '42', current: null, open: null, scoped: null });
      expect(codesOf(answer)).toEqual(Array(3).fill('token_missing'));

      // A guard in front of GraphQL is one of all its fields.
      const outer = (request: object) => setClaims(request, new Claims({ uid: '5', scopes: ['ping'] }));
      const behind = await (await start({ fields, outer })).ask(query, { ...cookie, ...bearer });
      expect(behind.data).toEqual({ ping: '7', mine: '42', current: '5', open: null, scoped: '5' });
    });

    it('send a refusal with its message, its code and its status', async () => {
      const { users, cookie } = await people();
      const fields = {
        profile: fieldWith([requireAuth(users)]),
        other: fieldWith([requireAuth(users), requireScope('other')]),
        recent: fieldWith([requireAuth(users), requireRecentLogin(300)]),
      };
      const unguarded = fieldWith();
      for (const filters of [[], [new AuthExceptionFilter()]]) {
        const server = await start({ fields: { ...fields, unguarded }, filters });
        const { data, errors } = await server.ask('{ profile(from: "info") }');
        expect(data).toEqual({ profile: null });
        expect(errors).toMatchObject([
          {
            message: 'Authentication is required.',
            path: ['profile'],
            extensions: {
              code: 'token_missing',
              http: { status: 401, headers: { 'www-authenticate': 'Bearer realm="api"' } },
            },
          },
        ]);
        const others = await server.ask(
          '{ other(from: "") recent(from: "") unguarded(from: "info") }',
          cookie,
        );
        const told = others.errors?.map((error) => [codeOf(error), error.extensions?.http]);
        expect(told?.sort()).toMatchObject([
          ['insufficient_scope', { status: 403 }],
          ['login_required', { status: 401 }],
          ['token_missing', { status: 401 }],
        ]);
      }
    });

    it('run on the fields of a type where fieldResolverEnhancers says so, and else never', async () => {
      const { users } = await people();
      const fields: Record<string, Field> = {
        user: { resolve: () => ({ secret: 'of the parent' }) },
        secret: { of: 'User', guards: [requireAuth(users)], resolve: () => 'reached' },
      };
      const bare = await start({ fields });
      expect(await bare.ask('{ user { secret } }')).toEqual({ data: { user: { secret: 'reached' } } });
      const guarded = await start({ fields, fieldResolverEnhancers: ['guards'] });
      const answer = await guarded.ask('{ user { secret } }');
      expect([answer.data, codesOf(answer)]).toEqual([{ user: { secret: null } }, ['token_missing']]);
    });

    it('guard a subscription, which has its claims when it begins', async () => {
      const { users, cookie } = await people();
      const { subscribe } = await start({
        fields: {
          ticks: {
            of: 'Subscription',
            guards: [requireAuth(users)],
            async *resolve(_root: unknown, _args: object, _context: object, info: object) {
              yield { ticks: claimsOf(info).uid };
            },
          },
        },
      });
      expect(await subscribe('subscription { ticks }', cookie)).toEqual({ data: { ticks: '42' } });
      expect(codesOf(await subscribe('subscription { ticks }'))).toEqual(['token_missing']);
    });
  });
}
