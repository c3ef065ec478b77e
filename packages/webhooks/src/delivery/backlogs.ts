import type { Clock } from '../clock.ts';
import { tenantField } from '../events/tenant.ts';
import type { Notifier } from '../hooks/notifier.ts';
import type { TenantBacklog, TenantBacklogs } from '../hooks/webhook-hooks.ts';
import type { WebhookStorage } from '../storage/storage.ts';
import { compareBytes } from '../storage/webhook-page.ts';
import { type CountDependencies, countPending, type PendingCount } from './count-pending.ts';

/** Counts backlogs, beside the other processes. */
export interface Backlogs {
  /** Counts what is pending of each tenant, unless it was counted lately. Never rejects. */
  countBacklogs(signal?: AbortSignal): Promise<void>;
  /** Reads what was counted last: of all tenants, or of that one alone. */
  readBacklogs(tenant?: string): Promise<TenantBacklogs>;
}

const INTERVAL_MS = 600_000;
/** A process without the hook counts only where none with it does. */
const INTERVAL_WITHOUT_HOOK_MS = 900_000;
/** A process counts for the first time so long after its start. */
const FIRST_AFTER_MS = 60_000;
/** What is kept of them fits into 60,000 bytes, whatever their names. */
const MAX_KEPT = 200;
const MAX_SHOWN = 10;

/** What the storage keeps, as JSON. */
interface Kept {
  /** When the last count began, ms since the epoch. */
  readonly countedAt: number;
  /** Where the next one begins: after that tenant, or with the host's own webhooks, ''. */
  readonly after: string;
  readonly backlogs: readonly KeptBacklog[];
  readonly others: number;
}

interface KeptBacklog {
  readonly tenant: string;
  readonly pending: number;
  /** How many were pending when the host was last told; 0: it was not. */
  readonly told: number;
}

const NOTHING: Kept = { countedAt: 0, after: '', backlogs: [], others: 0 };

/**
 * @internal
 *
 * The storage decides who counts, and keeps what was told in the same step: nothing is told twice,
 * whichever process counts. See docs/decisions/0083.
 */
export function createBacklogs(
  deps: CountDependencies & {
    readonly storage: Pick<WebhookStorage, 'stepBacklogs'>;
    readonly clock: Clock;
    readonly notifier: Pick<Notifier, 'backlog' | 'isToldOfBacklogs'>;
  },
): Backlogs {
  const { storage, clock, notifier } = deps;
  const isTold = notifier.isToldOfBacklogs;
  if (isTold && storage.stepBacklogs === undefined) {
    throw new TypeError('onBacklog needs a storage that has the method stepBacklogs');
  }
  const intervalMs = isTold ? INTERVAL_MS : INTERVAL_WITHOUT_HOOK_MS;
  // A clock that was set back does not hold it up.
  const isDue = (now: number, countedAt: number) => Math.abs(now - countedAt) >= intervalMs;
  // What a start has to do comes first; a process that is often started anew counts all the same.
  let askedAt = clock() - intervalMs + FIRST_AFTER_MS;

  async function count(now: number, signal?: AbortSignal): Promise<void> {
    let begun: Kept | undefined;
    await storage.stepBacklogs?.((text) => {
      const kept = keptIn(text);
      begun = isDue(now, kept.countedAt) ? { ...kept, countedAt: now } : undefined;
      return begun && JSON.stringify(begun);
    });
    const counted = begun && (await countPending(deps, begun.after, signal));
    if (counted === undefined) return;
    let news: readonly KeptBacklog[] = [];
    await storage.stepBacklogs?.((text) => {
      const kept = keptIn(text);
      news = [];
      // It took so long that another process has begun.
      if (kept.countedAt !== now) return undefined;
      const next = counting(kept, counted, isTold);
      news = next.backlogs.filter(({ tenant, told }) => told > toldOf(kept, tenant));
      return JSON.stringify(next);
    });
    for (const one of news) notifier.backlog(shownOf(one));
  }

  return {
    async countBacklogs(signal) {
      const now = clock();
      if (storage.stepBacklogs === undefined || !isDue(now, askedAt)) return;
      askedAt = now;
      await count(now, signal).catch((error: unknown) => void notifier.error('backlog', error));
    },
    async readBacklogs(tenant) {
      const { backlogs, others } = keptIn((await storage.stepBacklogs?.(() => undefined)) ?? '');
      const shown = backlogs.filter((one) => tenant === undefined || one.tenant === tenant);
      const largest = shown.toSorted((a, b) => b.pending - a.pending).slice(0, MAX_SHOWN);
      const more = shown.length - largest.length;
      return { largest: largest.map(shownOf), others: tenant === undefined ? others + more : 0 };
    },
  };
}

/** What is kept after a count. Those that are told stay: told again, they would be told twice. */
function counting(kept: Kept, { after, last, tenants }: PendingCount, isTold: boolean): Kept {
  const wasCounted = (tenant: string) =>
    (after === '' || compareBytes(tenant, after) > 0) && (last === '' || compareBytes(tenant, last) <= 0);
  const rest = kept.backlogs.filter(({ tenant }) => !wasCounted(tenant));
  const known = new Set(kept.backlogs.map(({ tenant }) => tenant));
  const counted = [...tenants]
    .filter(([tenant, { pending, max }]) => known.has(tenant) || pending >= max)
    .sort(
      ([a, one], [b, other]) => Number(known.has(b)) - Number(known.has(a)) || other.pending - one.pending,
    )
    .map(([tenant, { pending, max }]) => {
      const told = toldOf(kept, tenant);
      return { tenant, pending, told: isTold && pending >= Math.max(max, 2 * told) ? pending : told };
    });
  const backlogs = [...rest, ...counted];
  const others = Math.max(backlogs.length - MAX_KEPT, 0);
  return { ...kept, after: last, backlogs: backlogs.slice(0, MAX_KEPT), others };
}

function toldOf({ backlogs }: Kept, tenant: string): number {
  return backlogs.find((one) => one.tenant === tenant)?.told ?? 0;
}

function shownOf({ tenant, pending }: KeptBacklog): TenantBacklog {
  return { ...tenantField(tenant), pending };
}

/** Nothing, if the text is damaged: it is counted anew. */
function keptIn(text: string): Kept {
  try {
    const kept: unknown = JSON.parse(text);
    return isKept(kept) ? kept : NOTHING;
  } catch {
    return NOTHING;
  }
}

function isKept(value: unknown): value is Kept {
  const { countedAt, after, backlogs, others } = Object(value);
  const hasTypes = Number.isFinite(countedAt) && typeof after === 'string' && Number.isFinite(others);
  return hasTypes && Array.isArray(backlogs) && backlogs.every(isKeptBacklog);
}

function isKeptBacklog(value: unknown): value is KeptBacklog {
  const { tenant, pending, told } = Object(value);
  return typeof tenant === 'string' && Number.isFinite(pending) && Number.isFinite(told);
}
