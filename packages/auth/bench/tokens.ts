import { race } from '../../../bench/race.ts';
import { type Auth, createAuth } from '../src/auth.ts';
import { issuers, peers } from './peers.ts';
import { KEY, SCOPES, tokenPool } from './token-pool.ts';

/** Tokens of the repeated race: users at work at the same time. */
const ACTIVE = 1_000;
/** Tokens of the first race: no measurement meets one of them twice. */
const DISTINCT = 10_000;

const options = { signingKey: KEY, accessTokenTtlSeconds: 3600 } as const;
const { fresh } = tokenPool(DISTINCT);
const repeated = (index: number) => fresh(index % ACTIVE);

const auth = createAuth(options);
const fastJwt = peers.fastJwt();
const fastJwtCached = peers.fastJwtCached(10 * ACTIVE);

await race({
  title: `Repeated validation: ${ACTIVE} tokens over and over, a fresh string each time`,
  contenders: [
    { name: '@acme/auth', run: (index) => auth.validateAccessToken(repeated(index)) },
    {
      name: '@acme/auth, authenticate(request)',
      run: (index) =>
        auth.authenticate({ method: 'GET', headers: { cookie: `access_token=${repeated(index)}` } }),
    },
    { name: 'fast-jwt, cache on', run: (index) => fastJwtCached(repeated(index)) },
    { name: 'fast-jwt, no cache', run: (index) => fastJwt(repeated(index)) },
    { name: 'jose', run: (index) => peers.jose(repeated(index)) },
    { name: 'jsonwebtoken', run: (index) => peers.jsonwebtoken(repeated(index)) },
    { name: 'hono/jwt', run: (index) => peers.hono(repeated(index)) },
  ],
  aims: [{ contender: '@acme/auth', rival: 'fast-jwt, cache on', atLeast: 2.5 }],
});

let remembering: Auth = auth;
let fastJwtRemembering = fastJwtCached;
await race({
  title: 'First validation: a token that was never seen before',
  maxRuns: DISTINCT,
  contenders: [
    {
      name: '@acme/auth, remembered on the way',
      prepare: () => {
        remembering = createAuth(options);
      },
      run: (index) => remembering.validateAccessToken(fresh(index)),
    },
    { name: 'fast-jwt, no cache', run: (index) => fastJwt(fresh(index)) },
    {
      name: 'fast-jwt, remembered on the way',
      prepare: () => {
        fastJwtRemembering = peers.fastJwtCached(DISTINCT);
      },
      run: (index) => fastJwtRemembering(fresh(index)),
    },
    { name: 'bare HMAC and JSON.parse, no checks', run: (index) => peers.bare(fresh(index)) },
    { name: 'jose', run: (index) => peers.jose(fresh(index)) },
    { name: 'jsonwebtoken', run: (index) => peers.jsonwebtoken(fresh(index)) },
    { name: 'hono/jwt', run: (index) => peers.hono(fresh(index)) },
  ],
  aims: [
    {
      contender: '@acme/auth, remembered on the way',
      rival: 'fast-jwt, remembered on the way',
      atLeast: 1.3,
    },
  ],
});

await race({
  title: 'Issuing',
  contenders: [
    { name: '@acme/auth', run: (index) => auth.issueAccessToken(`${index}`, SCOPES) },
    { name: 'fast-jwt', run: (index) => issuers.fastJwt(`${index}`) },
    { name: 'jose', run: (index) => issuers.jose(`${index}`) },
    { name: 'jsonwebtoken', run: (index) => issuers.jsonwebtoken(`${index}`) },
    { name: 'hono/jwt', run: (index) => issuers.hono(`${index}`) },
  ],
});
