import { isUnixTime } from '../claims.ts';
import type { Session } from './session.ts';

/** A place in the list of a user's sessions. */
export type SessionPlace = Pick<Session, 'createdAt' | 'id'>;

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
export function encodeSessionCursor({ createdAt, id }: SessionPlace): string {
  const bytes = Buffer.alloc(TIME_BYTES + ID_BYTES);
  bytes.writeBigUInt64BE(BigInt(createdAt));
  bytes.write(id, TIME_BYTES, 'hex');
  return bytes.toString('base64url');
}

/** Returns `undefined` for anything that {@link encodeSessionCursor} does not write. */
export function decodeSessionCursor(cursor: unknown): SessionPlace | undefined {
  if (typeof cursor !== 'string' || !CURSOR_FORM.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const createdAt = Number(bytes.readBigUInt64BE());
  return isUnixTime(createdAt) ? { createdAt, id: bytes.toString('hex', TIME_BYTES) } : undefined;
}
