import type { DeliverySummary } from '@acme/webhooks';
import type { Arrival } from '../../recipient/inbox.ts';
import { type Html, html } from './html.ts';
import { type VerificationStep, verificationSteps } from './verification-steps.ts';

/** The requests of one delivery, oldest first. */
export type Attempts = readonly [Arrival, ...(readonly Arrival[])];

/** Requests with what the app knows of their delivery. */
export interface ShownRequest {
  readonly attempts: Attempts;
  /** Undefined if the app has no such delivery. */
  readonly delivery: DeliverySummary | undefined;
}

const MAX_SHOWN_BODY = 4_096;
const MARKS = { held: '✓', failed: '✗', 'not tried': '–' } as const;

/**
 * One delivery: its last request, and the waits between all. Everything in it came from outside,
 * and is escaped.
 */
export function requestCard({ attempts, delivery }: ShownRequest): Html {
  const arrival = attempts.at(-1) ?? attempts[0];
  const { number, at, hook, headers, signature, body } = arrival;
  const event = headers['x-webhook-event'] ?? 'no event';
  const isVerified = signature === 'verified';
  const names = Object.keys(headers);
  return html`<li class="request" data-key="${attempts[0].number}" data-outcome="${outcomeClass(arrival)}">
<div class="request-head">
<h3>${event}</h3>
<p class="attempt">Attempt ${headers['x-webhook-attempt'] ?? '?'}</p>
<p class="outcome">${outcomeText(arrival)}</p>
</div>
<p class="meta">${timeOf(at)} · POST /hooks/${hook}${arrival.isRepeat ? ' · seen before, so nothing is done twice' : ''}${followLink(delivery)}</p>
${attempts.length > 1 ? attemptList(attempts) : html``}
${arrival.status === null ? html`` : nextStep(delivery)}
<details data-part="signature">
<summary><span class="mark" data-held="${String(isVerified)}" aria-hidden="true">${isVerified ? MARKS.held : MARKS.failed}</span> ${isVerified ? 'Signature verified' : `Signature refused: ${signature}`}</summary>
<ol class="steps">${verificationSteps(arrival).map(stepItem)}</ol>
</details>
<details data-part="headers">
<summary>${names.length} headers</summary>
<dl>${names.map((name) => html`<dt>${name}</dt><dd>${headers[name] ?? ''}</dd>`)}</dl>
</details>
<details data-part="body">
<summary>Body, ${Buffer.byteLength(body)} bytes</summary>
<pre tabindex="0" role="region" aria-label="Body of request ${number}">${shownBody(body)}</pre>
</details>
</li>`;
}

/** The waits between the requests of a delivery. */
function attemptList(attempts: Attempts): Html {
  const items = attempts.map((arrival, index) => {
    const before = attempts[index - 1];
    const waitMs = before === undefined ? 0 : Date.parse(arrival.at) - Date.parse(before.at);
    const wait =
      before === undefined ? html`${timeOf(arrival.at)}` : html`${(waitMs / 1_000).toFixed(1)} s later`;
    return html`<li data-outcome="${outcomeClass(arrival)}">${wait}: ${outcomeText(arrival).toLowerCase()}</li>`;
  });
  return html`<ol class="tries">${items}</ol>`;
}

function outcomeClass({ status }: Arrival): string {
  if (status === null) return 'waiting';
  return status >= 200 && status < 300 ? 'accepted' : 'refused';
}

function outcomeText({ status }: Arrival): string {
  if (status === null) return 'Not answered yet';
  return status === 0 ? 'Hung up' : `Answered ${status}`;
}

/** What the app does about the delivery, after its latest attempt. */
function nextStep(delivery: DeliverySummary | undefined): Html {
  if (delivery === undefined) return html``;
  const { status, attempts, nextAttemptAt, webhookId, deliveryId } = delivery;
  if (status === 'success') {
    return attempts > 1 ? html`<p class="next">Delivered, after ${attempts} attempts.</p>` : html``;
  }
  if (status === 'failed') {
    const path = `/api/admin/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`;
    return html`<div class="next"><p>Given up after ${attempts} attempts. An administrator can send it again, once the recipient works.</p>
<button type="button" data-redeliver="${path}">Send again</button></div>`;
  }
  if (attempts === 0 || nextAttemptAt === null) return html``;
  return html`<p class="next">Not accepted. The app tries again at ${timeOf(nextAttemptAt)}.</p>`;
}

function stepItem({ title, outcome, detail }: VerificationStep): Html {
  return html`<li data-outcome="${outcome}"><span class="mark" data-held="${String(outcome === 'held')}" aria-hidden="true">${MARKS[outcome]}</span>
<div><p class="step-title">${title}${outcome === 'held' ? '' : ` (${outcome})`}</p><p class="step-detail">${detail}</p></div></li>`;
}

/** The script of the page shows it in the time zone of the browser. */
function timeOf(at: string): Html {
  return html`<time datetime="${at}">${at.slice(11, 19)}</time>`;
}

function shownBody(body: string): string {
  const shown = body.length > MAX_SHOWN_BODY ? `${body.slice(0, MAX_SHOWN_BODY)}…` : body;
  try {
    return JSON.stringify(JSON.parse(shown), null, 2);
  } catch {
    return shown;
  }
}

function followLink(delivery: DeliverySummary | undefined): Html {
  if (delivery === undefined) return html``;
  const { webhookId, deliveryId } = delivery;
  return html` · <a href="/admin/webhooks/${webhookId}?delivery=${deliveryId}">See this delivery in the panel</a>`;
}
