import { ApiError } from './api-error.ts';
import type { Webhook, WebhookInput } from './records.ts';
import { useChange } from './refresh.ts';

/** The wanted fields of a webhook, and those with which the edit began. */
interface WebhookEdit {
  readonly base: WebhookInput;
  readonly wanted: WebhookInput;
  /** The `updated_at` of another user's change that was shown and is to be overwritten. */
  readonly overruled: string | null;
}

/** A save that would undo another user's change. */
export class EditConflict extends Error {
  override readonly name = 'EditConflict';
  readonly fields: readonly (keyof WebhookInput)[];
  readonly current: Webhook;

  constructor(fields: readonly (keyof WebhookInput)[], current: Webhook) {
    super('The webhook has changed in the meantime.');
    this.fields = fields;
    this.current = current;
  }
}

/** How often a save is tried while other users change other fields at the same time. */
const MAX_SAVES = 3;

/**
 * Saves the changed fields only, and so keeps another user's changes to other fields. Rejects with
 * `EditConflict` if another user has changed one of them in the meantime, to another value.
 */
export function useEditWebhook(id: number) {
  return useChange(async (request, { base, wanted, overruled }: WebhookEdit): Promise<void> => {
    const params = { id };
    const fields = Object.keys(wanted) as (keyof WebhookInput)[];
    const changed = fields.filter((field) => !isSame(base, wanted, field));
    const body = Object.fromEntries(changed.map((field) => [field, wanted[field]]));
    for (let saves = 1; ; saves += 1) {
      const current = await request('GET', '/{id}', { params });
      const { updated_at: expectedUpdatedAt } = current;
      const conflicts = changed.filter(
        (field) => !isSame(base, current, field) && !isSame(wanted, current, field),
      );
      if (conflicts.length > 0 && overruled !== expectedUpdatedAt) throw new EditConflict(conflicts, current);
      if (changed.length === 0) return;
      try {
        await request('PUT', '/{id}', { params, body, expectedUpdatedAt });
        return;
      } catch (error) {
        const hasChanged = error instanceof ApiError && error.code === 'precondition_failed';
        if (!hasChanged || saves === MAX_SAVES) throw error;
      }
    }
  });
}

function isSame(one: WebhookInput, other: WebhookInput, field: keyof WebhookInput): boolean {
  return JSON.stringify(one[field]) === JSON.stringify(other[field]);
}
