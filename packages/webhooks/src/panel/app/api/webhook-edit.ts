import type { Webhook, WebhookInput } from './records.ts';

type Fields = Readonly<Pick<Webhook, keyof WebhookInput>>;

/** What somebody wants a webhook to be, and what it was when they began. */
export interface WebhookEdit {
  readonly base: Fields;
  readonly wanted: WebhookInput;
  /** The `updated_at` of a change by somebody else that was shown and is to be written over. */
  readonly overruled: string | null;
}

/** A save that would undo what somebody else saved meanwhile. */
export class EditConflict extends Error {
  override readonly name = 'EditConflict';
  readonly fields: readonly (keyof WebhookInput)[];
  readonly current: Webhook;

  constructor(fields: readonly (keyof WebhookInput)[], current: Webhook) {
    super('The webhook was changed meanwhile.');
    this.fields = fields;
    this.current = current;
  }
}

const FIELDS = ['url', 'description', 'events'] as const;

/** Only what was changed, so that a save leaves alone what somebody else changed in another field. */
export function changesOf({ base, wanted }: Omit<WebhookEdit, 'overruled'>): Partial<WebhookInput> {
  const changed = FIELDS.filter((field) => !isSame(base, wanted, field));
  return Object.fromEntries(changed.map((field) => [field, wanted[field]]));
}

/** The changed fields that somebody else changed as well, to something else. */
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
