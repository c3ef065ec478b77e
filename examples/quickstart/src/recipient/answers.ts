/** The answer of a hook to a callback with a valid signature. */
export interface Answer {
  /** 0 hangs up without an answer. */
  readonly status: number;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
  /** How long the sender waits for the answer. Default 0. */
  readonly delaySeconds?: number | undefined;
}

/** Decides the answer of each hook, so that retries can be seen. */
export interface Answers {
  /** Returns the answer to one more attempt of a delivery. */
  next(hook: string, deliveryId: string): Answer;
  /** Sets the answer of a hook from now on; undefined makes the hook accept again. */
  set(hook: string, answer: Answer | undefined): void;
  /** Returns the answer that was set. */
  chosen(hook: string): Answer | undefined;
}

const MAX_STATUS = 599;
const MAX_RETRY_AFTER_SECONDS = 3_600;
const MAX_DELAY_SECONDS = 60;

/**
 * Reads `{"status": 503, "retry_after_seconds": 2, "delay_seconds": 4}`. Returns undefined if the
 * body is anything else.
 */
export function readAnswer(body: unknown): Answer | undefined {
  if (typeof body !== 'object' || body === null || !('status' in body)) return undefined;
  const { status } = body;
  const retryAfterSeconds = 'retry_after_seconds' in body ? body.retry_after_seconds : undefined;
  const delaySeconds = 'delay_seconds' in body ? body.delay_seconds : undefined;
  if (status !== 0 && !isIntegerWithin(status, 200, MAX_STATUS)) return undefined;
  if (retryAfterSeconds !== undefined && !isIntegerWithin(retryAfterSeconds, 0, MAX_RETRY_AFTER_SECONDS)) {
    return undefined;
  }
  if (delaySeconds !== undefined && !isIntegerWithin(delaySeconds, 0, MAX_DELAY_SECONDS)) return undefined;
  return { status, retryAfterSeconds, delaySeconds };
}

function isIntegerWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

const ACCEPTED: Answer = { status: 200 };
const BROKEN: Answer = { status: 500 };
/** The number of attempts of each delivery that the hook `flaky` fails. */
const FLAKY_FAILURES = 2;
const MAX_REMEMBERED = 1_000;

/**
 * Every hook accepts, except `flaky`, which fails twice per delivery, and `broken`, which always
 * fails.
 */
export function createAnswers(): Answers {
  const chosen = new Map<string, Answer>();
  const failures = new Map<string, number>();

  function flaky(deliveryId: string): Answer {
    const failed = failures.get(deliveryId) ?? 0;
    if (failed >= FLAKY_FAILURES) return ACCEPTED;
    if (failures.size >= MAX_REMEMBERED) failures.clear();
    failures.set(deliveryId, failed + 1);
    return BROKEN;
  }

  return {
    next(hook, deliveryId) {
      const answer = chosen.get(hook);
      if (answer !== undefined) return answer;
      if (hook === 'broken') return BROKEN;
      return hook === 'flaky' ? flaky(deliveryId) : ACCEPTED;
    },
    set(hook, answer) {
      if (answer === undefined) chosen.delete(hook);
      else if (chosen.size < MAX_REMEMBERED) chosen.set(hook, answer);
    },
    chosen: (hook) => chosen.get(hook),
  };
}
