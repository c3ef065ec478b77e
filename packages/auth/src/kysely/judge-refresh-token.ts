import type { Session } from '../sessions/session.ts';
import type { RefreshTokenOutcome, RefreshTokenUse } from '../sessions/store/session-store.ts';
import type { TokenInFamily } from './refresh-token-rows.ts';

/** What is to be done about a presented token. */
export type Judgement =
  /** Answer, and write nothing. */
  | { readonly verdict: 'answer'; readonly outcome: RefreshTokenOutcome }
  /** Revoke the session. */
  | { readonly verdict: 'reuse'; readonly session: Session }
  | DueUse;

/** Record the use, and rotate where that is due. */
export interface DueUse {
  readonly verdict: 'use';
  readonly tokenId: string;
  readonly session: Session;
  readonly isFirstPresentation: boolean;
  readonly isRotationDue: boolean;
}

/**
 * Judges a presented refresh token by its row and its root: the steps that
 * `SessionStore.useRefreshToken` promises.
 *
 * Pure: the same rows give the same judgement, whether they were read in passing or under a lock.
 */
export function judgeRefreshToken(token: TokenInFamily | undefined, use: RefreshTokenUse): Judgement {
  if (token === undefined) return answer({ outcome: 'unknown' });
  const { now } = use;
  const { session, revokedAt, isReplaced } = token.root;
  if (now >= session.expiresAt) return answer({ outcome: 'expired' });
  if (revokedAt !== null) return answer({ outcome: 'revoked', session, revokedAt, isReplaced });

  const { rotation, successorUsedAt } = token;
  if (rotation !== undefined) {
    const isReuse = successorUsedAt !== null && now - successorUsedAt >= use.reuseGraceSeconds;
    if (isReuse) return { verdict: 'reuse', session };
    return answer({ outcome: 'rotated', session, ...rotation });
  }

  const isRoot = token.id === token.familyId;
  // A root's `last_used_at` is the session's; it was itself first used when it was made.
  const firstUsedAt = isRoot ? session.createdAt : token.lastUsedAt;
  const isFirstPresentation = firstUsedAt === null;
  const isRotationDue = now - (firstUsedAt ?? now) >= use.rotateEverySeconds;
  const isUseDue = now - session.lastUsedAt >= use.recordUseEverySeconds;
  if (!isFirstPresentation && !isRotationDue && !isUseDue) return answer({ outcome: 'current', session });
  return { verdict: 'use', tokenId: token.id, session, isFirstPresentation, isRotationDue };
}

function answer(outcome: RefreshTokenOutcome): Judgement {
  return { verdict: 'answer', outcome };
}
