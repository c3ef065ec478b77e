import type { LogInFailure } from './log-in-request.ts';

/** Why a log-in failed, and what to do. */
export interface LogInMessage {
  readonly title: string;
  readonly text: string;
}

const NOT_POSSIBLE = 'You cannot log in at present';

/** Explains a log-in that was not accepted. */
export function logInMessage(failure: LogInFailure): LogInMessage {
  switch (failure.kind) {
    case 'wrong':
      return {
        title: 'This log-in is not right',
        text: 'Check the user name and the password, then try again.',
      };
    case 'cross-site':
      return {
        title: NOT_POSSIBLE,
        text: 'The server refused this request because it seems to come from another site. Open this page at its usual address.',
      };
    case 'throttled':
      return { title: 'Too many attempts', text: `Try again ${laterText(failure.waitMs)}.` };
    case 'busy':
      return { title: NOT_POSSIBLE, text: `The server is busy. Try again ${laterText(failure.waitMs)}.` };
    case 'unreachable':
      return {
        title: NOT_POSSIBLE,
        text: 'The server cannot be reached. Check your connection, then try again.',
      };
    case 'unexpected':
      return {
        title: NOT_POSSIBLE,
        text: 'The server did not accept this log-in, and gave no reason that this page knows. Try again; the operator can find the reason in its log.',
      };
  }
}

/** Rounded up, so that trying again then is not too early. */
function laterText(waitMs: number): string {
  if (waitMs === 0) return 'shortly';
  const seconds = Math.ceil(waitMs / 1_000);
  if (seconds < 90) return `in ${counted(seconds, 'second')}`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `in ${counted(minutes, 'minute')}`;
  const hours = Math.ceil(minutes / 60);
  if (hours < 48) return `in ${counted(hours, 'hour')}`;
  return `in ${counted(Math.ceil(hours / 24), 'day')}`;
}

function counted(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
