import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { ApiError } from './api-error.ts';
import type { TestEvent, Webhook, WebhookInput } from './records.ts';
import { useChange } from './refresh.ts';

export function useCreateWebhook() {
  return useChange((request, body: WebhookInput) => request('POST', '', { body }), { hasSecret: true });
}

export function useUpdateWebhook(id: number) {
  return useChange((request, body: { readonly is_active: boolean }) =>
    request('PUT', '/{id}', { params: { id }, body }),
  );
}

/** Expects the webhook as it is shown. */
export function useDeleteWebhook({ id, updated_at: expectedUpdatedAt }: Webhook) {
  const { request } = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request('DELETE', '/{id}', { params: { id }, expectedUpdatedAt }),
    // Not the webhook's own queries: they would fail with 404 while the page is closing.
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
}

export function useTestWebhook(id: number) {
  return useChange((request, body: TestEvent | undefined) =>
    request('POST', '/{id}/test', { params: { id }, ...(body && { body }) }),
  );
}

export function useRedeliver(id: number, deliveryId: string) {
  const params = { id, delivery_id: deliveryId };
  return useChange((request) => request('POST', '/{id}/deliveries/{delivery_id}/redeliver', { params }));
}

/**
 * Expects the webhook as it is shown: a rotation right after another user's would end the old
 * secret at once.
 */
export function useRotateSecret({ id, updated_at: expectedUpdatedAt }: Webhook) {
  return useChange(
    async (request) => {
      const sent = { params: { id }, expectedUpdatedAt };
      const { url, secret } = await request('POST', '/{id}/rotate-secret', sent);
      // Only the end of an overlap is answered without one.
      if (secret === undefined) throw new ApiError(200, 'unexpected');
      return { url, secret };
    },
    { hasSecret: true },
  );
}

/** Ends the overlap of the last rotation, expecting the webhook as it is shown. */
export function useEndPreviousSecret({ id, updated_at: expectedUpdatedAt }: Webhook) {
  const sent = { params: { id }, body: { end_previous: true }, expectedUpdatedAt };
  return useChange((request) => request('POST', '/{id}/rotate-secret', sent));
}
