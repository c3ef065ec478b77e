import { parseClientAddress } from '../client-address.ts';
import { createSessionHooks } from './session-hooks.ts';
import type { RefreshClient, Session } from './session-store.ts';
import type { ResolvedSessionsOptions, SessionAnomalyEvent, SessionClient } from './sessions-options.ts';
import { type StorableClient, storableClient } from './storable-client.ts';

/** Changes of the client that are kept with a session. */
export const MAX_REFRESH_CLIENTS = 5;
/** Between two recorded changes: so often, at most, is a session written to that alternates with every poll. */
const MIN_SECONDS_BETWEEN_CHANGES = 60;
/** Two that poll by turns and both keep up with the rotation stay away for no longer than it takes, and this. */
const ALTERNATION_SLACK_SECONDS = 600;

/** Watches where sessions are refreshed from. */
export interface RefreshClients {
  /**
   * Records a client that is another than the last one, and tells the host when it is one that has been here before, or
   * one of many in a short time.
   *
   * @throws what the store rejects with
   */
  note(session: Session, client: SessionClient): Promise<void>;
}

/** What a refresh changes in the list of a session's clients. */
interface ClientChange {
  readonly refreshedFrom: readonly RefreshClient[];
  readonly anomaly: SessionAnomalyEvent['kind'] | undefined;
}

export function createRefreshClients(options: ResolvedSessionsOptions): RefreshClients {
  const { store, instance, now } = options;
  const hooks = createSessionHooks(options);
  const windowSeconds = options.rotateEverySeconds + ALTERNATION_SLACK_SECONDS;
  return {
    async note(session, presented) {
      const client = storableClient(presented);
      const detectedAt = now();
      const change = changeOf(session, client, detectedAt, windowSeconds);
      if (change === undefined) return;
      const { id: sessionId, uid, refreshedFrom: expected } = session;
      const { refreshedFrom, anomaly: kind } = change;
      const record = { sessionId, instance, now: detectedAt, expected, refreshedFrom };
      // Of several processes that see one change at once, one records it and tells of it.
      if (!(await store.recordClients(record)) || kind === undefined) return;
      await hooks.sessionAnomaly({ kind, sessionId, uid, detectedAt, ...client, refreshedFrom });
    },
  };
}

/**
 * Judges a refresh by the clients before it. The log-in is the oldest of them, while none has given way to the bound:
 * after that nobody knows when the client of the log-in was left, but a full list that is young is an anomaly by itself.
 */
function changeOf(
  { createdAt, ip, userAgent, refreshedFrom }: Session,
  client: StorableClient,
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
  // A client that is new at every poll leaves the others no turn to be seen coming back.
  const anomaly = isRecent(changes[MAX_REFRESH_CLIENTS - 1]) ? 'changing_clients' : undefined;
  return { refreshedFrom: changes, anomaly };
}

function isSameClient(a: StorableClient, b: StorableClient): boolean {
  return a.userAgent === b.userAgent && networkOf(a.ip) === networkOf(b.ip);
}

/** The IPv4 address, or the /64 of an IPv6 address: within it, devices change their own at will. */
function networkOf(ip: string): string {
  return parseClientAddress(ip)?.networks[0] ?? ip;
}
