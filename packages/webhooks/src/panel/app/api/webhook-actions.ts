import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { ApiError } from './api-error.ts';
import type { DeliveryReceipt, Recovery, Webhook, WebhookInput, WebhookWithSecret } from './records.ts';
import { changesOf, conflictsOf, EditConflict, type WebhookEdit } from './webhook-edit.ts';

/** After a change nothing that is on the page may be older than it. */
function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['webhooks'] }),
      client.invalidateQueries({ queryKey: ['webhook'] }),
    ]);
  };
}

export function useCreateWebhook() {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: WebhookInput) => request<WebhookWithSecret>({ method: 'POST', path: '', body }),
    // The secret waits for no other answer, and is kept no longer than it is shown.
    onSuccess: () => void refresh(),
    gcTime: 0,
    // An answer that got lost may have been a yes.
    onError: () => void refresh(),
  });
}

export function useUpdateWebhook(id: number) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { readonly is_active: boolean }) =>
      request<Webhook>({ method: 'PUT', path: `/${id}`, body }),
    onSuccess: refresh,
  });
}

/** How often a save begins anew because somebody else has changed another field in the same moment. */
const MAX_SAVES = 3;

/** Saves what was changed, unless somebody else has changed the same meanwhile: `EditConflict`. */
export function useEditWebhook(id: number) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (edit: WebhookEdit): Promise<void> => {
      const path = `/${id}`;
      const body = changesOf(edit);
      for (let saves = 1; ; saves += 1) {
        const current = await request<Webhook>({ path });
        const { updated_at: expectedUpdatedAt } = current;
        const conflicts = conflictsOf(edit, current);
        if (conflicts.length > 0 && edit.overruled !== expectedUpdatedAt) {
          throw new EditConflict(conflicts, current);
        }
        if (Object.keys(body).length === 0) return;
        try {
          return await request<undefined>({ method: 'PUT', path, body, expectedUpdatedAt });
        } catch (error) {
          const isOvertaken = error instanceof ApiError && error.code === 'precondition_failed';
          if (!isOvertaken || saves === MAX_SAVES) throw error;
        }
      }
    },
    onSuccess: refresh,
  });
}

export function useDeleteWebhook(id: number) {
  const { request } = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'DELETE', path: `/${id}` }),
    // Not the webhook's own queries: they would come back as 404 while the page is being left.
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
}

export function useTestWebhook(id: number) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => request<DeliveryReceipt>({ method: 'POST', path: `/${id}/test` }),
    onSuccess: refresh,
  });
}

export function useRedeliver(id: number, deliveryId: string) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () =>
      request<DeliveryReceipt>({
        method: 'POST',
        path: `/${id}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`,
      }),
    onSuccess: refresh,
  });
}

/** Of the webhook as it is shown: a second rotation beside somebody else's would end the old secret at once. */
export function useRotateSecret({ id, updated_at: expectedUpdatedAt }: Webhook) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () =>
      request<WebhookWithSecret>({ method: 'POST', path: `/${id}/rotate-secret`, expectedUpdatedAt }),
    // The secret waits for no other answer, and is kept no longer than it is shown.
    onSuccess: () => void refresh(),
    onError: () => void refresh(),
    gcTime: 0,
  });
}

export function useRecover(id: number) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { readonly since: string; readonly dry_run: boolean }) =>
      request<Recovery>({ method: 'POST', path: `/${id}/recover`, body }),
    onSuccess: ({ dry_run: isDryRun }) => (isDryRun ? undefined : refresh()),
  });
}
