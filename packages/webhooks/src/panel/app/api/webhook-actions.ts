import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { ApiError } from './api-error.ts';
import type { TestEvent, Webhook, WebhookInput } from './records.ts';
import { useRefresh } from './refresh.ts';

export function useCreateWebhook() {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: WebhookInput) => request('POST', '', { body }),
    // Not awaited: the secret is shown at once. Without a cache time it is not kept after that.
    onSuccess: () => void refresh(),
    gcTime: 0,
    // The request may have succeeded although its answer was lost.
    onError: () => void refresh(),
  });
}

export function useUpdateWebhook(id: number) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { readonly is_active: boolean }) => request('PUT', '/{id}', { params: { id }, body }),
    onSuccess: refresh,
  });
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
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: TestEvent | undefined) =>
      request('POST', '/{id}/test', { params: { id }, ...(body && { body }) }),
    onSuccess: refresh,
  });
}

export function useRedeliver(id: number, deliveryId: string) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () =>
      request('POST', '/{id}/deliveries/{delivery_id}/redeliver', {
        params: { id, delivery_id: deliveryId },
      }),
    onSuccess: refresh,
  });
}

/**
 * Expects the webhook as it is shown: a rotation right after another user's would end the old
 * secret at once.
 */
export function useRotateSecret({ id, updated_at: expectedUpdatedAt }: Webhook) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async () => {
      const { url, secret } = await request('POST', '/{id}/rotate-secret', {
        params: { id },
        expectedUpdatedAt,
      });
      // Only the end of an overlap is answered without one.
      if (secret === undefined) throw new ApiError(200, 'unexpected');
      return { url, secret };
    },
    // Not awaited: the secret is shown at once. Without a cache time it is not kept after that.
    onSuccess: () => void refresh(),
    onError: () => void refresh(),
    gcTime: 0,
  });
}

/** Ends the overlap of the last rotation, expecting the webhook as it is shown. */
export function useEndPreviousSecret({ id, updated_at: expectedUpdatedAt }: Webhook) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () =>
      request('POST', '/{id}/rotate-secret', {
        params: { id },
        body: { end_previous: true },
        expectedUpdatedAt,
      }),
    onSuccess: refresh,
    onError: () => void refresh(),
  });
}
