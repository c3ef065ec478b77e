import { parseClientAddress } from '../../client-address.ts';
import type { SessionAnomalyEvent } from '../events/session-events.ts';
import type { RefreshClient, Session } from '../session.ts';
import type { ResolvedSessionsOptions, SessionClient } from '../sessions-options.ts';
import { type StoredClient, storedClient } from './stored-client.ts';

/** Changes of the client that a session keeps. */
const MAX_REFRESH_CLIENTS = 5;
/**
 * The least time between two recorded changes. It bounds the writes of a session that alternates
 * with every poll.
 */
const MIN_SECONDS_BETWEEN_CHANGES = 60;
/**
 * Two clients that alternate and keep up with the rotation stay away for at most one rotation plus
 * this time.
 */
const ALTERNATION_SLACK_SECONDS = 600;

/** Watches where sessions are refreshed from. */
export interface ClientChanges {
  /**
   * Records a client that differs from the last one. It tells the host if the client has been here
   * before, or is one of many in a short time.
   *
   * @throws AuthError `unavailable` when the store fails
   */
  note(session: Session, client: SessionClient): Promise<void>;
}

/** What a refresh changes in the list of a session's clients. */
interface ClientChange {
  readonly refreshedFrom: readonly RefreshClient[];
  readonly anomaly: SessionAnomalyEvent['kind'] | undefined;
}

export function createClientChanges(options: ResolvedSessionsOptions): ClientChanges {
  const { store, instance, now, hooks } = options;
  const windowSeconds = options.rotateEverySeconds + ALTERNATION_SLACK_SECONDS;
  return {
    async note(session, presented) {
      const client = storedClient(presented);
      const detectedAt = now();
      const change = changeOf(session, client, detectedAt, windowSeconds);
      if (change === undefined) return;
      const { id: sessionId, uid, refreshedFrom: expected } = session;
      const { refreshedFrom, anomaly: kind } = change;
      const record = { sessionId, instance, now: detectedAt, expected, refreshedFrom };
      // If several processes see one change at once, one records and reports it.
      if (!(await store.recordClients(record)) || kind === undefined) return;
      hooks.onSessionAnomaly?.([{ kind, sessionId, uid, detectedAt, ...client, refreshedFrom }]);
    },
  };
}

/**
 * Judges a refresh by the clients before it. The client of the log-in counts as the oldest until
 * the list is full. After that its last use is unknown, but a full list of recent changes is an
 * anomaly by itself.
 */
function changeOf(
  { createdAt, ip, userAgent, refreshedFrom }: Session,
  client: StoredClient,
  now: number,
  windowSeconds: number,
): ClientChange | undefined {
  const [lastChange] = refreshedFrom;
  if (lastChange !== undefined && now - lastChange.since < MIN_SECONDS_BETWEEN_CHANGES) return undefined;
  const isWhole = refreshedFrom.length < MAX_REFRESH_CLIENTS;
  const history = isWhole ? [...refreshedFrom, { since: createdAt, ip, userAgent }] : refreshedFrom;
  const place = history.findIndex((earlier) => isSameClient(earlier, client));
  if (place === 0) return undefined;
  const changes = [{ since: now, ...client }, ...refreshedFrom].slice(0, MAX_REFRESH_CLIENTS);
  const isRecent = (change: RefreshClient | undefined) =>
    change !== undefined && now - change.since <= windowSeconds;
  if (isRecent(history[place - 1])) return { refreshedFrom: changes, anomaly: 'alternating_clients' };
  // If the client is new at every poll, no client is ever seen to come back.
  const anomaly = isRecent(changes[MAX_REFRESH_CLIENTS - 1]) ? 'changing_clients' : undefined;
  return { refreshedFrom: changes, anomaly };
}

function isSameClient(a: StoredClient, b: StoredClient): boolean {
  return a.userAgent === b.userAgent && networkOf(a.ip) === networkOf(b.ip);
}

/** The IPv4 address, or the /64 of an IPv6 address: within it, devices change their own at will. */
function networkOf(ip: string): string {
  return parseClientAddress(ip)?.networks[0] ?? ip;
}
