import { chooseEvenly } from '../../contract/storage/choose-evenly.ts';
import type { AttemptRecord, ClaimRequest, DispatchRecord } from '../../src/storage/delivery-requests.ts';
import type { NewWebhook } from '../../src/storage/webhook-requests.ts';

/** A webhook that is subscribed to every event. */
export const NEW_WEBHOOK: NewWebhook = {
  url: 'https://a.example/',
  secret: 's',
  description: '',
  events: ['*'],
  isActive: true,
  createdBy: 0,
  createdByUid: null,
  createdAt: '2026-11-20T04:10:00.123Z',
};

/** A dispatch that every such webhook receives. */
export const DISPATCH: DispatchRecord = {
  event: 'order.paid',
  payload: '{}',
  createdAt: NEW_WEBHOOK.createdAt,
  target: { patterns: ['*'] },
};

/** A claim of everything that is due when such a dispatch was created. */
export const CLAIM: ClaimRequest = {
  now: Date.parse(NEW_WEBHOOK.createdAt),
  limit: 1_000,
  leaseMs: 1_000,
  maxAttempts: 4,
  claimToken: 't',
  isFromStart: true,
  choose: chooseEvenly(1_000),
};

/** The success of an attempt under that claim. */
export function successOf(id: number): AttemptRecord {
  return {
    id,
    claimToken: CLAIM.claimToken,
    status: 'success',
    statusCode: 200,
    responseBody: '',
    error: '',
    attemptLog: [],
    activation: 0,
    now: CLAIM.now,
    retryInMs: 0,
  };
}
