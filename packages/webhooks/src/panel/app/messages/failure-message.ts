import { isKeyOf } from '../key-of.ts';
import { fill } from '../texts/host-texts.ts';
import { failureAdvice, failureTitles } from './failure-texts.ts';

/** Why an attempt failed, and what the administrator can do about it. */
export interface FailureMessage {
  readonly title: string;
  readonly advice: string;
}

/**
 * Explains the error code of an attempt or a delivery. A code of a later version is shown as it is.
 */
export function failureMessage(code: string): FailureMessage {
  const status = /^http_(\d{3})$/.exec(code)?.[1];
  if (status !== undefined) {
    const advice = isKeyOf(failureAdvice, code)
      ? failureAdvice[code]
      : failureAdvice[rangeOf(Number(status))];
    return { title: fill(failureTitles.http, { status }), advice };
  }
  const title = code !== 'http' && isKeyOf(failureTitles, code) ? failureTitles[code] : code;
  return { title, advice: failureAdvice[isKeyOf(failureAdvice, code) ? code : 'unknown'] };
}

function rangeOf(status: number): 'http_3xx' | 'http_4xx' | 'http_5xx' {
  if (status < 400) return 'http_3xx';
  return status < 500 ? 'http_4xx' : 'http_5xx';
}
