import { useApi } from '../api/api-context.ts';
import type { Delivery, WebhookDetail } from '../api/records.ts';
import { useRedeliver } from '../api/webhook-actions.ts';

export type Resend = ReturnType<typeof useResend>;

/** A delivery can be sent again once it has ended, to a webhook that is active. */
export function useResend(delivery: Delivery | undefined, webhook: WebhookDetail | undefined) {
  const { isReadOnly } = useApi();
  const { mutate, isPending, error } = useRedeliver(delivery?.webhook_id ?? 0, delivery?.delivery_id ?? '');
  const isOffered = !isReadOnly && delivery !== undefined && delivery.status !== 'pending';
  const isReady = isOffered && webhook?.is_active === true && !isPending;
  return { isOffered, isPending, error, send: isReady ? () => mutate() : undefined };
}
