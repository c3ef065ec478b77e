import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RevokeReason, Session } from '../../src/sessions/session.ts';
import type {
  FoundToken,
  NewSession,
  RefreshTokenOutcome,
  RefreshTokenUse,
  SessionStore,
} from '../../src/sessions/store/session-store.ts';
import { randomHex } from '../store/random-hex.ts';
import type { HarnessCases } from '../store/store-contract.ts';
import { StoreHarness } from '../store/store-harness.ts';

export type SessionHarnessCases = HarnessCases<SessionHarness>;

export const INSTANCE = '/api/admin';
export const ROTATE_EVERY = 900;
export const GRACE = 30;
export const RECORD_USE_EVERY = 300;
export const LIFETIME = 86_400;
/** 2026-11-20T04:10:00Z. */
const START = 1_795_147_800;

/** A refresh token and the session that it was made for. */
export interface Issued {
  readonly id: string;
  readonly token: string;
}

/** What cases do again and again, said shortly; and the time they happen at. */
export class SessionHarness extends StoreHarness<SessionStore> {
  now = START;

  async create(fields: Partial<NewSession> = {}): Promise<Issued> {
    const token = randomHex(32);
    const session = { ...this.newSession(), tokenHash: hashOf(token), ...fields };
    await this.store.create(session);
    return { id: session.id, token };
  }

  newSession(): NewSession {
    return {
      id: randomHex(16),
      tokenHash: hashOf(randomHex(32)),
      uid: '42',
      instance: INSTANCE,
      createdAt: this.now,
      expiresAt: this.now + LIFETIME,
      userAgent: 'Mozilla/5.0',
      ip: '192.0.2.1',
    };
  }

  use(
    token: string,
    fields: Partial<RefreshTokenUse> = {},
    store = this.store,
  ): Promise<RefreshTokenOutcome> {
    return store.useRefreshToken({
      tokenHash: hashOf(token),
      instance: INSTANCE,
      now: this.now,
      rotateEverySeconds: ROTATE_EVERY,
      reuseGraceSeconds: GRACE,
      recordUseEverySeconds: RECORD_USE_EVERY,
      salt: randomHex(16),
      keyId: 'key-1',
      nextId: randomHex(16),
      successorHash: (salt) => hashOf(successorOf(token, salt)),
      ...fields,
    });
  }

  /** Asserts the outcome of presenting a token now. */
  async expectOutcome(
    token: string,
    outcome: RefreshTokenOutcome['outcome'],
    message?: string,
  ): Promise<void> {
    assert.equal((await this.use(token)).outcome, outcome, message);
  }

  /** Presents a token that has a successor, or gets one now, and gives the successor. */
  async rotate(token: string): Promise<string> {
    const outcome = await this.use(token);
    if (outcome.outcome !== 'rotated') assert.fail(`expected the outcome rotated, found ${outcome.outcome}`);
    return successorOf(token, outcome.successorSalt);
  }

  /** A session whose root token has a successor; neither has been presented since. */
  async createRotated(): Promise<Issued & { readonly successor: string }> {
    const issued = await this.create();
    this.now += ROTATE_EVERY;
    return { ...issued, successor: await this.rotate(issued.token) };
  }

  find(token: string, instance = INSTANCE): Promise<FoundToken | undefined> {
    return this.store.findByToken({ tokenHash: hashOf(token), instance, now: this.now });
  }

  async revoke(
    sessionId: string,
    reason: RevokeReason = 'revoked',
    store = this.store,
  ): Promise<Session | undefined> {
    const revoked = await store.revoke({ sessionId, instance: INSTANCE, now: this.now, reason });
    assert.notEqual(typeof revoked, 'string', 'refused a revocation that no session asked for');
    return typeof revoked === 'string' ? undefined : revoked;
  }

  /** Ends what is beyond `keep`, for the session that a log-in has just created. */
  revokeOldest(newestId: string, keep: number, store = this.store): Promise<readonly string[] | undefined> {
    const owner = { uid: '42', instance: INSTANCE };
    return store.revokeOldest({ ...owner, newestId, keep, now: this.now, reason: 'limit' });
  }

  list(uid = '42', limit = 100): Promise<readonly Session[]> {
    return this.store.list({ uid, instance: INSTANCE, now: this.now, limit });
  }

  async listIds(uid?: string): Promise<string[]> {
    return (await this.list(uid)).map(({ id }) => id);
  }

  async lastUsedAt(): Promise<number | undefined> {
    return (await this.list())[0]?.lastUsedAt;
  }

  async revokedIds(since = 0): Promise<string[]> {
    const revocations = await this.store.listRevocations({ instance: INSTANCE, since, limit: 1_000 });
    return revocations.map(({ sessionId }) => sessionId);
  }
}

/** Any function of token and salt would do. */
export function successorOf(token: string, salt: string): string {
  return hashOf(`${token}/${salt}`);
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
