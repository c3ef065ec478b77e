import { isUnixTime, requireUid } from '../claims.ts';
import { AuthError } from '../errors.ts';
import { refuseAsker } from './revocation/asked-by.ts';
import type { Session } from './session.ts';
import type { ResolvedSessionsOptions } from './sessions-options.ts';
import type { SessionListQuery } from './store/session-store.ts';

const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;

/** Which part of a user's sessions is listed. */
export interface SessionPageRequest {
  /** 1–100, default 50. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before. Default: the list begins with the newest session. */
  readonly cursor?: string | undefined;
}

/** A part of the list of a user's live sessions. */
export type SessionPage = {
  /** Newest first. */
  readonly sessions: readonly Session[];
  /** The `cursor` of the next page: 32 characters. `null` on the last page. */
  readonly nextCursor: string | null;
};

/**
 * @param askedBy the session that asks, if the list is for one
 * @throws AuthError `input_invalid` when the request is out of bounds: it may come from a client;
 *   `session_revoked` when the session that asks is over; TypeError if `uid` is not a valid uid
 */
export async function listSessionPage(
  { store, instance, now }: ResolvedSessionsOptions,
  uid: string,
  request: SessionPageRequest,
  askedBy?: string,
): Promise<SessionPage> {
  requireUid(uid);
  const { limit, after } = readPage(request);
  // One more than asked for tells whether there is a next page.
  const query = { uid, instance, now: now(), askedBy };
  const found = await store.list({ ...query, after, limit: limit + 1 });
  if (askedBy !== undefined && found.length === 0) {
    // The first page of a live session is never empty; a later one may be.
    const first = after === undefined ? found : await store.list({ ...query, limit: 1 });
    if (first.length === 0) refuseAsker('not_live');
  }
  const sessions = found.slice(0, limit);
  const last = found.length > limit ? sessions.at(-1) : undefined;
  return { sessions, nextCursor: last === undefined ? null : encodeSessionCursor(last) };
}

function readPage(request: SessionPageRequest): Pick<SessionListQuery, 'limit' | 'after'> {
  const { limit = DEFAULT_PAGE, cursor, ...rest } = Object(request) as SessionPageRequest;
  if (Object(request) !== request || Object.keys(rest).length > 0) {
    throw new AuthError('input_invalid', 'A page of sessions is described by limit and cursor alone');
  }
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new AuthError('input_invalid', `limit must be a whole number from 1 to ${MAX_PAGE}`);
  }
  if (cursor === undefined) return { limit };
  const after = decodeSessionCursor(cursor);
  if (after === undefined) throw new AuthError('input_invalid', 'cursor must be the nextCursor of a page');
  return { limit, after };
}

/** A place in the list of a user's sessions. */
type SessionPlace = Pick<Session, 'createdAt' | 'id'>;

/** 24 bytes in base64url without padding: each text of this form has exactly one reading. */
const CURSOR_FORM = /^[A-Za-z0-9_-]{32}$/;
const TIME_BYTES = 8;
const ID_BYTES = 16;

/**
 * Writes a place as an opaque text of 32 characters: the time, then the id.
 *
 * It names no user, and is neither signed nor secret. A user who makes one up reads their own list
 * from another place on.
 */
function encodeSessionCursor({ createdAt, id }: SessionPlace): string {
  const bytes = Buffer.alloc(TIME_BYTES + ID_BYTES);
  bytes.writeBigUInt64BE(BigInt(createdAt));
  bytes.write(id, TIME_BYTES, 'hex');
  return bytes.toString('base64url');
}

/** Returns `undefined` for anything that {@link encodeSessionCursor} does not write. */
function decodeSessionCursor(cursor: unknown): SessionPlace | undefined {
  if (typeof cursor !== 'string' || !CURSOR_FORM.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const createdAt = Number(bytes.readBigUInt64BE());
  return isUnixTime(createdAt) ? { createdAt, id: bytes.toString('hex', TIME_BYTES) } : undefined;
}
