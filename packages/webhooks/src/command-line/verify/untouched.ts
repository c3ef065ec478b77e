import type { SignedRequest } from '../scheme-check.ts';

/** What remains to be said if no usual mistake explains a signature that does not fit. */
export type UntouchedCode = 'wrong_secret_or_value' | 'empty_body' | 'mixed_requests' | 'unexplained';

/** Judges by the body itself whether it is as it was sent. */
export function judgeUntouched({ body, headers }: SignedRequest): {
  readonly code: UntouchedCode;
  readonly message: string;
} {
  const text = Buffer.from(body).toString('utf8');
  if (text.trim() === '') {
    return {
      code: 'empty_body',
      message: 'The body is empty: something read it before, such as a JSON parser.',
    };
  }
  if (text === '[object Object]') {
    return {
      code: 'unexplained',
      message: 'The body is the text [object Object]: a parser has replaced it.',
    };
  }
  const event = eventOf(text);
  const named = headers['x-webhook-event']?.[0];
  const created = headers['x-webhook-timestamp']?.[0];
  const isOtherEvent = event !== undefined && named !== undefined && event.type !== named;
  const isOtherTime =
    event !== undefined && created !== undefined && String(secondsOf(event.timestamp)) !== created;
  if (isOtherEvent || isOtherTime) {
    const message =
      'The headers and the body are of different requests, or were altered: ' +
      `the ${isOtherEvent ? 'event' : 'time of creation'} in the body is not that of the headers.`;
    return { code: 'mixed_requests', message };
  }
  if (event !== undefined && JSON.stringify(event) === text) {
    const message =
      'The secret is that of another webhook or from before a rotation, or a value in the body, the id or the timestamp was altered. ' +
      'The form of the body is that of this package, so no parser or proxy rewrote it.';
    return { code: 'wrong_secret_or_value', message };
  }
  const message =
    'No usual mistake explains it: the secret is that of another webhook, or the body was altered beyond guessing. ' +
    'This package sends compact JSON with type, timestamp and data in this order, and the body is not that.';
  return { code: 'unexplained', message };
}

function eventOf(text: string): { type: unknown; timestamp: unknown; data: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!('type' in value && 'timestamp' in value && 'data' in value)) return undefined;
    // The keys of the original order come first, so that serialising again compares it as well.
    return Object.keys(value).join() === 'type,timestamp,data' ? value : undefined;
  } catch {
    return undefined;
  }
}

function secondsOf(timestamp: unknown): number {
  return Math.floor(Date.parse(String(timestamp)) / 1_000);
}
