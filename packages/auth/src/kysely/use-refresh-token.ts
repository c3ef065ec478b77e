import { sql } from 'kysely';
import type { Session } from '../sessions/session.ts';
import type { RefreshTokenOutcome, RefreshTokenUse } from '../sessions/store/session-store.ts';
import type { DatabaseAccess } from './database-access.ts';
import { type DueUse, judgeRefreshToken } from './judge-refresh-token.ts';
import { findToken, newTokenRow, revokedColumns } from './refresh-token-rows.ts';
import type { Tables } from './tables.ts';

/**
 * Accepts a presented refresh token.
 *
 * First, one statement reads the token, and it is judged without a lock. Most polls write nothing
 * and end here. If a write is due, a transaction locks the session's root, then reads and judges
 * the token again. A caller that has waited for the lock therefore sees the rotation or revocation
 * that came first.
 */
export async function useRefreshToken(
  { dialect, read, write }: DatabaseAccess,
  use: RefreshTokenUse,
): Promise<RefreshTokenOutcome> {
  const { tokenHash, instance } = use;
  const found = await read((tables) => findToken(tables, tokenHash, instance));
  const inPassing = judgeRefreshToken(found, use);
  if (inPassing.verdict === 'answer') return inPassing.outcome;
  const { id: familyId } = inPassing.session;
  return await write(async (tables) => {
    if (dialect.hasRowLocks) await lockFamily(tables, familyId);
    const token = await findToken(tables, tokenHash, instance);
    const judgement = judgeRefreshToken(token, use);
    if (judgement.verdict === 'answer') return judgement.outcome;
    return judgement.verdict === 'reuse'
      ? await recordReuse(tables, judgement.session, use)
      : await recordUse(tables, judgement, use);
  });
}

/**
 * Locks the root of a family. Every writer does so before anything else, so writers wait for each
 * other and cannot deadlock.
 */
async function lockFamily(tables: Tables, familyId: string): Promise<void> {
  await tables.selectFrom('refresh_tokens').select('id').where('id', '=', familyId).forUpdate().execute();
}

async function recordReuse(
  tables: Tables,
  session: Session,
  { now }: RefreshTokenUse,
): Promise<RefreshTokenOutcome> {
  await tables
    .updateTable('refresh_tokens')
    .set(revokedColumns({ now, reason: 'reuse' }))
    .where('id', '=', session.id)
    .execute();
  return { outcome: 'reused', session };
}

async function recordUse(
  tables: Tables,
  use: DueUse,
  request: RefreshTokenUse,
): Promise<RefreshTokenOutcome> {
  const { tokenId, isFirstPresentation, isRotationDue } = use;
  const { now, salt, keyId } = request;
  const session = { ...use.session, lastUsedAt: now };
  if (isFirstPresentation) await recordFirstPresentation(tables, use, now);
  await tables
    .updateTable('refresh_tokens')
    .set({ last_used_at: now })
    .where('id', '=', session.id)
    .execute();
  if (!isRotationDue) return { outcome: 'current', session };
  await tables
    .updateTable('refresh_tokens')
    .set({ rotated_at: now, successor_salt: salt, successor_key_id: keyId })
    .where('id', '=', tokenId)
    .execute();
  await addSuccessor(tables, session, request);
  return { outcome: 'rotated', session, rotatedAt: now, successorSalt: salt, successorKeyId: keyId };
}

async function recordFirstPresentation(
  tables: Tables,
  { tokenId, session }: DueUse,
  now: number,
): Promise<void> {
  await tables.updateTable('refresh_tokens').set({ last_used_at: now }).where('id', '=', tokenId).execute();
  // The predecessor is the one token of the family whose successor has not been presented yet.
  await tables
    .updateTable('refresh_tokens')
    // The rotation came first, whatever the two clocks say.
    .set({ successor_used_at: sql<number>`case when rotated_at > ${now} then rotated_at else ${now} end` })
    .where('family_id', '=', session.id)
    .where('successor_salt', 'is not', null)
    .where('successor_used_at', 'is', null)
    .execute();
}

async function addSuccessor(
  tables: Tables,
  { id, uid, instance, expiresAt }: Session,
  { now, salt, nextId, successorHash }: RefreshTokenUse,
): Promise<void> {
  const row = newTokenRow({
    id: nextId,
    tokenHash: successorHash(salt),
    uid,
    instance,
    createdAt: now,
    expiresAt,
  });
  await tables
    .insertInto('refresh_tokens')
    .values({ ...row, family_id: id })
    .execute();
}
