import { type Insertable, type Selectable, sql } from 'kysely';
import type { RefreshClient, Session } from '../sessions/session.ts';
import type { NewSession, RefreshTokenOutcome, SessionRevocation } from '../sessions/store/session-store.ts';
import { type RefreshTokenTable, type Tables, timeOf } from './tables.ts';

const ROOT_COLUMNS = [
  'id',
  'uid',
  'instance',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
  'revoke_reason',
  'user_agent',
  'ip',
  'refreshed_from',
] as const;

export type RootRow = Pick<Selectable<RefreshTokenTable>, (typeof ROOT_COLUMNS)[number]>;

/** A user of an instance at a time. */
type UserAt = Pick<SessionRevocation, 'instance' | 'now'> & { readonly uid: string };

/** A token and the root of its family, as one statement saw them. */
export interface TokenInFamily {
  readonly id: string;
  readonly familyId: string;
  readonly lastUsedAt: number | null;
  /** `undefined` if the token has no successor. */
  readonly rotation: Rotation | undefined;
  readonly successorUsedAt: number | null;
  readonly root: FamilyRoot;
}

/** How a token was rotated, and when. */
type Rotation = Pick<
  Extract<RefreshTokenOutcome, { outcome: 'rotated' }>,
  'rotatedAt' | 'successorSalt' | 'successorKeyId'
>;

/** A session with what its root says of its end. */
export interface FamilyRoot {
  readonly session: Session;
  readonly revokedAt: number | null;
  /** Whether a log-in revoked it. */
  readonly isReplaced: boolean;
}

/** What the root of a session is set to when the session is revoked, for any reason. */
export function revokedColumns({ now, reason }: Pick<SessionRevocation, 'now' | 'reason'>) {
  return { live_uid: null, revoked_at: now, revoke_reason: reason } as const;
}

/** Rows of `refresh_tokens` that are the root of a session. */
export function roots(tables: Tables) {
  return tables
    .selectFrom('refresh_tokens')
    .select(ROOT_COLUMNS)
    .where((token) => token('id', '=', token.ref('family_id')));
}

/**
 * The roots of a user's live sessions. Their `live_uid` holds them apart from the rows that the
 * user's rotations and ended sessions have left, which are never read here.
 */
export function liveRootsOf(tables: Tables, { uid, instance, now }: UserAt) {
  return (
    tables
      .selectFrom('refresh_tokens')
      .select(ROOT_COLUMNS)
      .where('live_uid', '=', uid)
      .where('instance', '=', instance)
      // Where one user has most rows, SQLite would read an index of the other conditions; `+` hides
      // them from it (https://www.sqlite.org/optoverview.html).
      .where(sql`+revoked_at`, 'is', null)
      .where(sql`+expires_at`, '>', now)
  );
}

/**
 * Finds a token with its root, in one statement. `undefined` if the instance has no such token.
 */
export async function findToken(
  tables: Tables,
  tokenHash: string,
  instance: string,
): Promise<TokenInFamily | undefined> {
  const row = await tables
    .selectFrom('refresh_tokens as token')
    .innerJoin('refresh_tokens as root', 'root.id', 'token.family_id')
    .select(ROOT_COLUMNS.map((column) => `root.${column}` as const))
    .select([
      'token.id as token_id',
      'token.last_used_at as first_used_at',
      'token.rotated_at',
      'token.successor_salt',
      'token.successor_key_id',
      'token.successor_used_at',
    ])
    .where('token.token_hash', '=', tokenHash)
    .where('token.instance', '=', instance)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { rotated_at, successor_salt: successorSalt, successor_key_id } = row;
  const rotation = successorSalt !== null && {
    rotatedAt: Number(rotated_at),
    successorSalt,
    successorKeyId: successor_key_id ?? '',
  };
  return {
    id: row.token_id,
    familyId: row.id,
    lastUsedAt: timeOf(row.first_used_at),
    rotation: rotation || undefined,
    successorUsedAt: timeOf(row.successor_used_at),
    root: rootOf(row),
  };
}

export function rootOf(row: RootRow): FamilyRoot {
  const isReplaced = row.revoke_reason === 'login';
  return { session: sessionOf(row), revokedAt: timeOf(row.revoked_at), isReplaced };
}

export function sessionOf(row: RootRow): Session {
  const createdAt = Number(row.created_at);
  return {
    id: row.id,
    uid: row.uid,
    instance: row.instance,
    createdAt,
    expiresAt: Number(row.expires_at),
    lastUsedAt: timeOf(row.last_used_at) ?? createdAt,
    userAgent: row.user_agent,
    ip: row.ip,
    refreshedFrom: clientsOf(row.refreshed_from),
  };
}

/** A listed client, as the table spells it. */
type ClientEntry = Pick<RefreshClient, 'since' | 'ip'> & { readonly user_agent: string };

/** Always the same text for the same clients: it is compared as text. */
export function clientsText(clients: readonly RefreshClient[]): string {
  const entries = clients.map(
    ({ since, ip, userAgent }): ClientEntry => ({ since, ip, user_agent: userAgent }),
  );
  return JSON.stringify(entries);
}

function clientsOf(text: string): readonly RefreshClient[] {
  const entries = JSON.parse(text) as readonly ClientEntry[];
  return entries.map(({ since, ip, user_agent }) => ({ since, ip, userAgent: user_agent }));
}

/** A token nobody has presented, without what only a root has. */
export function newTokenRow(
  token: Pick<NewSession, 'id' | 'tokenHash' | 'uid' | 'instance' | 'createdAt' | 'expiresAt'>,
): Insertable<RefreshTokenTable> {
  return {
    id: token.id,
    token_hash: token.tokenHash,
    family_id: token.id,
    uid: token.uid,
    instance: token.instance,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    last_used_at: null,
    rotated_at: null,
    successor_salt: null,
    successor_key_id: null,
    successor_used_at: null,
    live_uid: null,
    revoked_at: null,
    revoke_reason: null,
    user_agent: '',
    ip: '',
    refreshed_from: '[]',
  };
}
