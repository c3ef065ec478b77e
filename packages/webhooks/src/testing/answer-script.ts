import type { ServerResponse } from 'node:http';
import { progressTimers } from '../progress-timers.ts';

/**
 * An answer of a test receiver: a status; a status with more; `hang`, which never answers; `reset`,
 * which closes the connection without an answer.
 */
export type TestAnswer = number | TestResponse | 'hang' | 'reset';

/** An answer in all its parts. */
export interface TestResponse {
  /** 200–599, default 204. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly body?: string;
  /** How long the receiver waits before it answers, in ms. Default 0. */
  readonly delayMs?: number;
  /**
   * Sends the body a byte at a time, this many ms apart, and then begins again: an answer that
   * never ends.
   */
  readonly dripMs?: number;
}

/** An answer that was programmed. */
export interface TestAnswerRule {
  /** Restricts it to the next `count` requests. */
  times(count: number): void;
}

/** The answers of a test receiver. */
export interface AnswerScript {
  respond(answer: TestAnswer, options?: { readonly path?: string }): TestAnswerRule;
  answer(path: string, response: ServerResponse): void;
  reset(): void;
  /** Ends the answers under way. */
  stop(): void;
}

interface Rule {
  readonly answer: TestAnswer;
  readonly path: string | undefined;
  left: number;
}

/** The longest delay that a timer takes. */
const MAX_DELAY_MS = 2_147_483_647;

/** @internal */
export function createScript(): AnswerScript {
  /** The rules in the order they were made: those with a number of requests are used up first. */
  let rules: Rule[] = [];
  const timers = new Set<NodeJS.Timeout>();

  function next(path: string): TestAnswer {
    const fitting = rules.filter((rule) => (rule.path ?? path) === path);
    const rule = fitting.find(({ left }) => Number.isFinite(left)) ?? fitting.at(-1);
    if (rule === undefined) return 204;
    rule.left -= 1;
    rules = rules.filter((known, index) => known.left > 0 && !isSuperseded(known, index));
    return rule.answer;
  }

  /** Of the rules without a number of requests, the last one counts. */
  function isSuperseded({ left, path }: Rule, index: number): boolean {
    if (Number.isFinite(left)) return false;
    return rules.some((later, at) => at > index && later.path === path && !Number.isFinite(later.left));
  }

  function later(ms: number, act: () => void): void {
    const timer = progressTimers.setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  }

  function drip(response: ServerResponse, body: string, everyMs: number): void {
    const bytes = Buffer.from(body === '' ? ' ' : body);
    let sent = 0;
    const sendOne = (): void => {
      if (response.destroyed) return;
      response.write(bytes.subarray(sent % bytes.length, (sent % bytes.length) + 1));
      sent += 1;
      later(everyMs, sendOne);
    };
    sendOne();
  }

  function send(
    response: ServerResponse,
    { status = 204, headers = {}, body = '', dripMs }: TestResponse,
  ): void {
    response.writeHead(status, headers);
    if (dripMs === undefined) response.end(body);
    else drip(response, body, dripMs);
  }

  return {
    respond(answer, { path } = {}) {
      checkAnswer(answer);
      const rule: Rule = { answer, path, left: Number.POSITIVE_INFINITY };
      rules.push(rule);
      return {
        times(count) {
          if (!Number.isSafeInteger(count) || count < 1)
            throw new TypeError('times takes an integer of at least 1');
          rule.left = count;
        },
      };
    },
    answer(path, response) {
      const answer = next(path);
      if (answer === 'hang') return;
      if (answer === 'reset') response.destroy();
      else if (typeof answer === 'number') send(response, { status: answer });
      else if (answer.delayMs === undefined) send(response, answer);
      else later(answer.delayMs, () => send(response, answer));
    },
    reset() {
      rules = [];
    },
    stop() {
      for (const timer of timers) progressTimers.clearTimeout(timer);
      timers.clear();
    },
  };
}

function checkAnswer(answer: TestAnswer): void {
  if (answer === 'hang' || answer === 'reset') return;
  const parts: unknown = typeof answer === 'number' ? { status: answer } : answer;
  if (typeof parts !== 'object' || parts === null) {
    throw new TypeError("an answer is a status, an object, 'hang' or 'reset'");
  }
  const { status = 204, delayMs = 0, dripMs = 0 }: TestResponse = parts;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new TypeError('the status of an answer must be an integer from 200 to 599');
  }
  for (const [name, ms] of Object.entries({ delayMs, dripMs })) {
    if (!(ms >= 0 && ms <= MAX_DELAY_MS)) throw new TypeError(`${name} must be from 0 to ${MAX_DELAY_MS}`);
  }
}
