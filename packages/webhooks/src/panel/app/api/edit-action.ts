import { useMutation } from '@tanstack/react-query';
import { useApi } from './api-context.ts';
import { ApiError } from './api-error.ts';
import { useRefresh } from './refresh.ts';
import { changesOf, conflictsOf, EditConflict, type WebhookEdit } from './webhook-edit.ts';

/** How often a save is tried while other users change other fields at the same time. */
const MAX_SAVES = 3;

/**
 * Saves the changed fields. Rejects with `EditConflict` if another user has changed one of them in
 * the meantime.
 */
export function useEditWebhook(id: number) {
  const { request } = useApi();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (edit: WebhookEdit): Promise<void> => {
      const params = { id };
      const body = changesOf(edit);
      for (let saves = 1; ; saves += 1) {
        const current = await request('GET', '/{id}', { params });
        const { updated_at: expectedUpdatedAt } = current;
        const conflicts = conflictsOf(edit, current);
        if (conflicts.length > 0 && edit.overruled !== expectedUpdatedAt) {
          throw new EditConflict(conflicts, current);
        }
        if (Object.keys(body).length === 0) return;
        try {
          await request('PUT', '/{id}', { params, body, expectedUpdatedAt });
          return;
        } catch (error) {
          const hasChanged = error instanceof ApiError && error.code === 'precondition_failed';
          if (!hasChanged || saves === MAX_SAVES) throw error;
        }
      }
    },
    onSuccess: refresh,
  });
}
