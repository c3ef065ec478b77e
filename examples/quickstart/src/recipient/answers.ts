/** What a hook answers to a callback whose signature is right. */
export interface Answer {
  readonly status: number;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Decides what each hook answers, so that retries can be seen. */
export interface Answers {
  /** Gives the answer to one more attempt of a delivery. */
  next(hook: string, deliveryId: string): Answer;
  /** Sets what a hook answers from now on; undefined makes it accept again. */
  set(hook: string, answer: Answer | undefined): void;
}

const ACCEPTED: Answer = { status: 200 };
const BROKEN: Answer = { status: 500 };
/** How many attempts of each delivery the hook `flaky` fails. */
const FLAKY_FAILURES = 2;
const MAX_REMEMBERED = 1_000;

/** Every hook accepts, except `flaky`, which fails twice per delivery, and `broken`, which always fails. */
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
