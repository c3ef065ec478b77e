import { timestampText } from '../../src/clock.ts';
import { generateSecret } from '../../src/signing/secret.ts';
import type { ClaimedDelivery } from '../../src/storage/delivery-requests.ts';

/** The claim of a first attempt, except for what the test changes. */
export function claimedDelivery({
  webhook = {},
  ...change
}: Partial<Omit<ClaimedDelivery, 'webhook'>> & {
  readonly webhook?: Partial<ClaimedDelivery['webhook']>;
} = {}): ClaimedDelivery {
  return {
    id: 1,
    claimToken: 'token',
    deliveryId: '0'.repeat(32),
    event: 'user.created',
    payload: '{}',
    createdAt: timestampText(0),
    attempt: 1,
    seriesAttempt: 1,
    deferrals: 0,
    pauses: 0,
    isExhausted: false,
    lostAttempt: null,
    attemptLog: [],
    ...change,
    webhook: {
      id: 7,
      tenant: '',
      url: 'http://127.0.0.1/',
      secret: generateSecret(),
      previousSecret: null,
      isActive: true,
      maxPerMinute: null,
      activation: 3,
      ...webhook,
    },
  };
}
