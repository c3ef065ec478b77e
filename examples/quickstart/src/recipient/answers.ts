/** The answer of a hook to a callback with a valid signature. */
export interface Answer {
  readonly status: number;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Decides the answer of each hook, so that retries can be seen. */
export interface Answers {
  /** Returns the answer to one more attempt of a delivery. */
  next(hook: string, deliveryId: string): Answer;
  /** Sets the answer of a hook from now on; undefined makes the hook accept again. */
  set(hook: string, answer: Answer | undefined): void;
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
  };
}
