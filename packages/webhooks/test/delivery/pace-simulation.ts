import { Pace } from '../../src/delivery/pace.ts';
import { createSeenWebhooks } from '../../src/kysely/claim/seen-webhooks.ts';
import type { WaitingWebhook } from '../../src/storage/delivery-requests.ts';

/** A kind of recipients in a simulation. */
export interface Recipients {
  readonly name: string;
  readonly webhooks: number;
  /** An event for each of them this often; 0: always another one due. */
  readonly everyMs: number;
  /** How long an attempt takes, by its number and the time. */
  readonly answerMs: (attempt: number, now: number) => number;
  /** Whose they are. Default: the host's own. */
  readonly tenant?: string;
  /** Their first events come at once and not spread over `everyMs`. */
  readonly allDue?: boolean;
}

const TIMEOUT_MS = 15_000;
/** As in the default retry schedule. */
const RETRY_MS = 60_000;

/** What one kind of recipients met with. */
export interface Outcome {
  /** Milliseconds that events dispatched between these times waited; those that still wait, too. */
  readonly waits: (fromMs: number, untilMs: number) => number[];
  /** When the last webhook of this kind got its first attempt; infinite if one got none. */
  readonly lastServedAt: number;
  readonly attempts: number;
}

interface Event {
  readonly webhook: Webhook;
  readonly created: number;
  isStarted: boolean;
}

interface Webhook {
  readonly id: number;
  readonly kind: Recipients;
  due: Event[];
  attempts: number;
  servedAt: number;
}

/**
 * Runs one process with 50 slots in virtual time: events, claims that see what a claim of a storage
 * sees, and attempts. The same seed gives the same run.
 */
export function simulate(kinds: readonly Recipients[], { seconds = 180, seed = 1, slots = 50 } = {}) {
  const random = seededRandom(seed);
  const agenda = createAgenda();
  const pace = new Pace({ slots, maxPerWebhook: 10, monotonicClock: () => agenda.now() });
  const webhooks: Webhook[] = kinds
    .flatMap((kind) => Array.from({ length: kind.webhooks }, () => kind))
    .map((kind) => ({ kind, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ kind }, id) => ({ id, kind, due: [], attempts: 0, servedAt: Number.POSITIVE_INFINITY }));
  const waits = new Map<Recipients, { readonly at: number; readonly ms: number }[]>(
    kinds.map((kind) => [kind, []]),
  );
  /** The first attempts that are due, the newest last. */
  const events: Event[] = [];
  const again = createSeenWebhooks();
  let cursor = 0;
  let isClaimDue = false;

  const isDue = ({ kind, due }: Webhook) => kind.everyMs === 0 || due.length > 0;

  /**
   * The webhooks of the newest 300 that are due, the next 256 from the cursor, and those that earlier
   * claims have seen, as in a storage.
   */
  function visible(looked: readonly number[]): WaitingWebhook[] {
    const seen = new Set(looked.flatMap((id) => webhooks[id] ?? []).filter(isDue));
    for (let index = events.length - 1, rows = 0; index >= 0 && rows < 300; index--) {
      const { webhook, isStarted } = events[index] as Event;
      if (isStarted) events.splice(index, 1);
      else seen.add(webhook);
      if (!isStarted) rows += 1;
    }
    for (let passed = 0, found = 0; passed < webhooks.length && found < 256; passed++) {
      cursor = (cursor + 1) % webhooks.length;
      const webhook = webhooks[cursor] as Webhook;
      if (!isDue(webhook)) continue;
      seen.add(webhook);
      found += 1;
    }
    return [...seen]
      .sort((a, b) => (a.due[0]?.created ?? 0) - (b.due[0]?.created ?? 0))
      .map(({ id, kind, due }) => ({
        webhookId: id,
        tenant: kind.tenant ?? '',
        due: kind.everyMs === 0 ? Number.POSITIVE_INFINITY : due.length,
      }));
  }

  function claim(): void {
    isClaimDue = false;
    if (pace.free() <= 0) return;
    const claim = pace.claim();
    const looked = again.next();
    const waiting = visible(looked);
    const choice = pace.choose(claim, waiting);
    again.learn(looked, waiting, choice);
    const chosen = [...choice];
    pace.end(
      claim,
      chosen.reduce((sum, [, count]) => sum + count, 0),
    );
    for (const [id, count] of chosen) {
      const webhook = webhooks[id];
      for (let n = 0; n < count; n++) if (webhook !== undefined) start(webhook);
    }
  }

  function claimSoon(): void {
    if (isClaimDue) return;
    isClaimDue = true;
    agenda.at(agenda.now() + 5, claim);
  }

  function start(webhook: Webhook): void {
    const { kind } = webhook;
    const now = agenda.now();
    const event = webhook.due.shift();
    if (event !== undefined) event.isStarted = true;
    const created = event?.created ?? now;
    webhook.servedAt = Math.min(webhook.servedAt, now);
    const takes = Math.min(kind.answerMs(webhook.attempts++, now), TIMEOUT_MS);
    const attempt = pace.begin(webhook.id, null, kind.tenant);
    if (takes > attempt.slowAfterMs) {
      agenda.at(now + attempt.slowAfterMs, () => pace.outlast(attempt) && claimSoon());
    }
    agenda.at(now + takes, () => {
      const isTimeout = takes === TIMEOUT_MS;
      pace.answered(attempt, isTimeout ? 'timed-out' : 'succeeded');
      if (isTimeout) agenda.at(agenda.now() + RETRY_MS, () => becomeDue(webhook, created));
      else waits.get(kind)?.push({ at: created, ms: agenda.now() - created });
      if (pace.release(attempt)) claimSoon();
    });
  }

  function becomeDue(webhook: Webhook, created: number): void {
    const event = { webhook, created, isStarted: false };
    webhook.due.push(event);
    // A retry has a later priority time: a claim finds it from webhook to webhook.
    if (created === agenda.now()) events.push(event);
    claimSoon();
  }

  for (const webhook of webhooks) {
    const { everyMs, allDue = false } = webhook.kind;
    if (everyMs === 0) continue;
    const next = () => {
      becomeDue(webhook, agenda.now());
      agenda.at(agenda.now() + everyMs, next);
    };
    agenda.at(allDue ? 0 : random() * everyMs, next);
  }
  agenda.at(0, claim);
  agenda.runUntil(seconds * 1_000);

  return new Map<string, Outcome>(
    kinds.map((kind) => {
      const of = webhooks.filter((webhook) => webhook.kind === kind);
      const still = of.flatMap(({ due }) =>
        due.map(({ created }) => ({ at: created, ms: seconds * 1_000 - created })),
      );
      const all = [...(waits.get(kind) ?? []), ...still];
      const outcome: Outcome = {
        waits: (from, until) =>
          all
            .filter(({ at }) => at >= from && at < until)
            .map(({ ms }) => ms)
            .sort((a, b) => a - b),
        lastServedAt: Math.max(...of.map(({ servedAt }) => servedAt)),
        attempts: of.reduce((sum, { attempts }) => sum + attempts, 0),
      };
      return [kind.name, outcome];
    }),
  );
}

/** What happens when, in virtual time. */
function createAgenda() {
  const heap: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  let order = 0;
  let now = 0;
  const isBefore = (a: number, b: number) => {
    const [x, y] = [heap[a], heap[b]];
    if (x === undefined || y === undefined) return false;
    return x.at < y.at || (x.at === y.at && x.order < y.order);
  };
  const swap = (a: number, b: number) => {
    const [x, y] = [heap[a], heap[b]];
    if (x !== undefined && y !== undefined) [heap[a], heap[b]] = [y, x];
  };
  return {
    now: () => now,
    at(at: number, run: () => void) {
      let index = heap.push({ at, order: order++, run }) - 1;
      for (let parent = (index - 1) >> 1; index > 0 && isBefore(index, parent); parent = (index - 1) >> 1) {
        swap(index, parent);
        index = parent;
      }
    },
    runUntil(end: number) {
      for (let first = heap[0]; first !== undefined && first.at < end; first = heap[0]) {
        swap(0, heap.length - 1);
        heap.pop();
        for (let index = 0; ; ) {
          let least = index;
          for (const child of [2 * index + 1, 2 * index + 2]) if (isBefore(child, least)) least = child;
          if (least === index) break;
          swap(index, least);
          index = least;
        }
        now = first.at;
        first.run();
      }
      now = end;
    },
  };
}

/** Numbers in [0, 1) by xorshift. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
