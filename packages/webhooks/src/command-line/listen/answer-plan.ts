import type { CommandInput } from '../command-options.ts';
import { UsageError } from '../usage-error.ts';

/** How a request is answered. `status` is undefined if it is left without an answer. */
export interface Answer {
  readonly status: number | undefined;
  readonly delayMs: number;
  /** The delivery was accepted before: a recipient does nothing and says yes again. */
  readonly isRepeat: boolean;
}

/** Decides on the answer to each genuine request. */
export interface AnswerPlan {
  answer(deliveryId: string): Answer;
}

/** The longest `--delay`: longer than any sender of this package waits. */
const MAX_DELAY_MS = 600_000;

/** Deliveries that are remembered. The oldest are forgotten. */
const MAX_DELIVERIES = 10_000;

const OK: Omit<Answer, 'isRepeat'> = { status: 204, delayMs: 0 };

/**
 * Reads the options that make the recipient misbehave: what it does (`--status`, `--delay`,
 * `--hang`) and how often (`--fail-first`).
 */
export function readAnswerPlan(input: CommandInput): AnswerPlan {
  const failFirst = input.integer('fail-first', { min: 1, max: 1_000 });
  const status = input.integer('status', { min: 200, max: 599 });
  const delayMs = input.durationMs('delay', MAX_DELAY_MS);
  const hangs = input.flag('hang');
  if (hangs && (status !== undefined || delayMs !== undefined)) {
    throw new UsageError('--hang never answers, so --status and --delay have no effect beside it.');
  }
  const isBareFailure = failFirst !== undefined && delayMs === undefined;
  const planned = {
    status: hangs ? undefined : (status ?? (isBareFailure ? 503 : OK.status)),
    delayMs: delayMs ?? 0,
  };
  return createAnswerPlan(planned, failFirst ?? Number.POSITIVE_INFINITY);
}

/** Answers the first `times` requests of each delivery as planned, and the later ones with 204. */
function createAnswerPlan(planned: Omit<Answer, 'isRepeat'>, times: number): AnswerPlan {
  const deliveries = new Map<string, { readonly requests: number; readonly isAccepted: boolean }>();
  return {
    answer(deliveryId) {
      const { requests, isAccepted } = deliveries.get(deliveryId) ?? { requests: 0, isAccepted: false };
      const { status, delayMs } = requests < times ? planned : OK;
      const isNowAccepted = isAccepted || (status !== undefined && status < 300);
      if (deliveryId !== '') {
        // Deleted first, so that the oldest in the map is the one not seen for the longest time.
        deliveries.delete(deliveryId);
        deliveries.set(deliveryId, { requests: requests + 1, isAccepted: isNowAccepted });
      }
      const [oldest] = deliveries.keys();
      if (deliveries.size > MAX_DELIVERIES && oldest !== undefined) deliveries.delete(oldest);
      return { status, delayMs, isRepeat: isAccepted };
    },
  };
}
