import { fill } from '../texts/host-texts.ts';
import { locale } from '../texts/locale.ts';
import type { LogInFailure } from './log-in-request.ts';
import { logInTexts } from './log-in-texts.ts';

/** Why a log-in failed, and what to do. */
export interface LogInMessage {
  readonly title: string;
  readonly text: string;
}

/** Explains a log-in that was not accepted. */
export function logInMessage(failure: LogInFailure): LogInMessage {
  const title = logInTexts.notPossibleTitle;
  switch (failure.kind) {
    case 'wrong':
      return { title: logInTexts.wrongTitle, text: logInTexts.wrong };
    case 'cross-site':
      return { title, text: logInTexts.crossSite };
    case 'throttled':
      return { title: logInTexts.throttledTitle, text: againText(failure.waitMs, 'again') };
    case 'busy':
      return { title, text: againText(failure.waitMs, 'busyAgain') };
    case 'unreachable':
      return { title, text: logInTexts.unreachable };
    case 'unexpected':
      return { title, text: logInTexts.unexpected };
  }
}

function againText(waitMs: number, kind: 'again' | 'busyAgain'): string {
  return waitMs === 0 ? logInTexts[kind] : fill(logInTexts[`${kind}In`], { time: laterText(waitMs) });
}

const LATER = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });

/** Rounded up, so that trying again then is not too early. */
function laterText(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1_000);
  if (seconds < 90) return LATER.format(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return LATER.format(minutes, 'minute');
  const hours = Math.ceil(minutes / 60);
  if (hours < 48) return LATER.format(hours, 'hour');
  return LATER.format(Math.ceil(hours / 24), 'day');
}
