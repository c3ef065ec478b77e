import type { Arrival } from '../../recipient/inbox.ts';
import { type Html, html } from './html.ts';

/** One step of a verification. After the first that failed, the others were not tried. */
export interface VerificationStep {
  readonly title: string;
  readonly outcome: 'held' | 'failed' | 'not tried';
  readonly detail: Html;
}

/** The codes of `verify` by the step in which it throws them. */
const FAILING_STEP: Readonly<Record<string, number>> = {
  signature_missing: 1,
  signature_malformed: 1,
  signature_mismatch: 3,
  signature_stale: 4,
  body_malformed: 5,
};

const MAX_SHOWN_CONTENT = 160;

/**
 * Retraces what `verify` of `@acme/webhooks/signing` did with a request: `verify` gave the verdict,
 * and the request gives the values.
 */
export function verificationSteps({ signature, headers, body, at }: Arrival): readonly VerificationStep[] {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp = '',
    'webhook-signature': sent = '',
  } = headers;
  const ageSeconds = Math.max(0, Math.floor(Date.parse(at) / 1_000) - Number(timestamp));
  const steps: readonly Pick<VerificationStep, 'title' | 'detail'>[] = [
    {
      title: 'Take the secret of the webhook',
      detail: html`The recipient got it once, when the webhook was created.`,
    },
    {
      title: 'Read three headers',
      detail: html`<code class="line">webhook-id: ${id}</code><code class="line">webhook-timestamp: ${timestamp}</code><code class="line">webhook-signature: ${sent}</code>`,
    },
    {
      title: 'Join id, timestamp and the raw body with dots',
      detail: html`<code>${shortened(`${id}.${timestamp}.${body}`)}</code>`,
    },
    {
      title: 'Compute HMAC-SHA256 of it with the secret, and compare',
      detail: html`The result must be the signature in the header. Both are compared in constant time.`,
    },
    {
      title: 'Check the age',
      detail: html`The timestamp is ${Number.isFinite(ageSeconds) ? ageSeconds : '?'} s before the time of arrival. At most 300 s are accepted.`,
    },
    {
      title: 'Read the event',
      detail: html`Only now is the body parsed: <code>${headers['x-webhook-event'] ?? ''}</code>`,
    },
  ];
  const failing = signature === 'verified' ? steps.length : (FAILING_STEP[signature] ?? 0);
  return steps.map((step, index) => ({ ...step, outcome: outcomeOf(index, failing) }));
}

function outcomeOf(index: number, failing: number): VerificationStep['outcome'] {
  if (index < failing) return 'held';
  return index === failing ? 'failed' : 'not tried';
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN_CONTENT ? `${text.slice(0, MAX_SHOWN_CONTENT)}…` : text;
}
