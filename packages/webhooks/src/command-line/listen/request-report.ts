import { readableJson } from '../../readable-json.ts';
import { SCHEME_TITLES, type SchemeCheck } from '../scheme-check.ts';
import type { Terminal, Tone } from '../terminal.ts';
import { visibleJson, visibleText } from '../visible-text.ts';
import type { Answer } from './answer-plan.ts';
import type { IncomingCallback } from './recipient.ts';

/** Everything that is known of a request once its answer is decided. */
export interface ReceivedCallback extends IncomingCallback {
  readonly event: string;
  readonly deliveryId: string;
  /** The number of the attempt as its header says it. Empty without one. */
  readonly attempt: string;
  /** Empty if no secret is known yet. */
  readonly checks: readonly SchemeCheck[];
  /** Why a signature does not fit, in sentences. Empty if it fits or is not explained. */
  readonly explanation: string;
  readonly answer: Answer;
}

/** The most characters of a header that are shown. */
const MAX_SHOWN = 255;

/** A request for people: a line of what it is, the signatures, the answer, and the body. */
export function reportFor(callback: ReceivedCallback, terminal: Terminal): string {
  const { answer, attempt, deliveryId, event, explanation, receivedAt } = callback;
  const { paint } = terminal;
  const head = [
    paint('quiet', timeOf(receivedAt)),
    shown(event) || '(no event)',
    ...(attempt === '' ? [] : [`attempt ${shown(attempt)}`]),
    shown(deliveryId) || '(no id)',
    ...(answer.isRepeat ? [paint('notable', 'repeat: this delivery was accepted before')] : []),
  ];
  const lines = [
    head.join('  '),
    `  ${signaturesOf(callback, paint)}`,
    ...(explanation === '' ? [] : [`  ${paint('bad', explanation)}`]),
    `  ${paint('quiet', answerOf(answer))}`,
    ...foldedBody(callback.body, terminal.columns - 2).map((line) => `  ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** A request for programs: one line of JSON. */
export function jsonReportOf(callback: ReceivedCallback): string {
  const { answer, attempt, body, checks, deliveryId, event, explanation, method, path, receivedAt } =
    callback;
  const report = {
    time: receivedAt.toISOString(),
    method,
    path,
    event,
    attempt: /^\d{1,6}$/.test(attempt) ? Number(attempt) : null,
    id: deliveryId,
    repeat: answer.isRepeat,
    signatures: Object.fromEntries(checks.map(({ scheme, code }) => [scheme, code])),
    explanation: explanation === '' ? null : explanation,
    answer: answer.status ?? null,
    delay_ms: answer.delayMs,
    body_bytes: body.length,
    body: Buffer.from(body).toString('utf8'),
  };
  return `${visibleJson(report)}\n`;
}

function signaturesOf({ checks }: ReceivedCallback, paint: Terminal['paint']): string {
  if (checks.length === 0) return paint('notable', 'not verified: no secret is known yet');
  return checks
    .map(({ scheme, code }) => {
      const tone: Tone = code === 'valid' ? 'good' : code === 'absent' ? 'quiet' : 'bad';
      return `${SCHEME_TITLES[scheme]} ${paint(tone, code)}`;
    })
    .join(', ');
}

function answerOf({ status, delayMs }: Answer): string {
  if (status === undefined) return 'not answered';
  return `answered ${status}${delayMs === 0 ? '' : ` after ${delayMs} ms`}`;
}

function shown(text: string): string {
  return visibleText(text.slice(0, MAX_SHOWN));
}

/** The local time to the millisecond: 14:02:07.081. */
function timeOf(time: Date): string {
  return `${time.toTimeString().slice(0, 8)}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

/** The most lines of a body that are shown. */
const MAX_LINES = 20;

/** A body as lines of at most so many columns: indented if it is JSON, and cut after 20 lines. */
function foldedBody(body: Uint8Array, columns: number): readonly string[] {
  if (body.length === 0) return ['(no body)'];
  const text = utf8Of(body);
  if (text === undefined) return [`(${body.length} bytes that are not UTF-8)`];
  // A column shows at least one character, so more than this is not shown whatever the lines are.
  const shownText = readableJson(text).slice(0, columns * MAX_LINES + 1);
  const lines = shownText.split('\n').flatMap((line) => wrapped(visibleText(line), columns));
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… ${body.length} bytes in all; --json prints the whole body`];
}

function utf8Of(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function wrapped(line: string, columns: number): readonly string[] {
  return line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''];
}
