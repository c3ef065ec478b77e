import type { Webhook, WebhookInput } from './records.ts';

type Fields = Readonly<Pick<Webhook, keyof WebhookInput>>;

/** The wanted fields of a webhook, and those with which the edit began. */
export interface WebhookEdit {
  readonly base: Fields;
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

const FIELDS = ['url', 'name', 'description', 'events', 'max_per_minute'] as const;

/** The changed fields only, so that a save keeps another user's changes to other fields. */
export function changesOf({ base, wanted }: Omit<WebhookEdit, 'overruled'>): Partial<WebhookInput> {
  const changed = FIELDS.filter((field) => !isSame(base, wanted, field));
  return Object.fromEntries(changed.map((field) => [field, wanted[field]]));
}

/** The changed fields that another user has changed as well, to another value. */
export function conflictsOf(
  { base, wanted }: Omit<WebhookEdit, 'overruled'>,
  current: Webhook,
): (keyof WebhookInput)[] {
  return FIELDS.filter(
    (field) =>
      !isSame(base, wanted, field) && !isSame(base, current, field) && !isSame(wanted, current, field),
  );
}

function isSame(one: Fields, other: Fields, field: keyof WebhookInput): boolean {
  return JSON.stringify(one[field]) === JSON.stringify(other[field]);
}
