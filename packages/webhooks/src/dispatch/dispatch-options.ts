import { WebhookError } from '../errors.ts';
import { isStorableText } from '../storage/storable-text.ts';

/** Options of one dispatch. */
export interface DispatchOptions<Transaction = never> {
  /**
   * The host's own transaction: the deliveries are written in it and sent once it commits; a
   * rollback sends nothing. Every statement of the dispatch runs on it, and no other connection is
   * used.
   */
  readonly transaction?: Transaction | undefined;
  /**
   * 1–255 characters, unique per event and kept for at least 30 days, until the next purge: a
   * repeated key writes nothing.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Longest idempotency key, in characters. */
const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/**
 * Refuses unknown options: a misspelt `idempotencykey` would silently send twice.
 *
 * @throws WebhookError `invalid_options`
 */
export function checkedOptions<Transaction>(
  options: DispatchOptions<Transaction>,
): DispatchOptions<Transaction> {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw new WebhookError('invalid_options', 'The options of a dispatch are an object');
  }
  for (const name of Object.keys(given)) {
    if (name !== 'transaction' && name !== 'idempotencyKey') {
      throw new WebhookError(
        'invalid_options',
        `A dispatch has no option ${JSON.stringify(name.slice(0, 50))}`,
      );
    }
  }
  const { transaction } = options;
  if (transaction !== undefined && (typeof transaction !== 'object' || transaction === null)) {
    throw new WebhookError('invalid_options', "transaction must be the host's transaction object");
  }
  return options;
}

/** @throws WebhookError `invalid_idempotency_key` */
export function checkedKey(key: unknown): { readonly idempotencyKey?: string } {
  if (key === undefined) return {};
  const isStorable = typeof key === 'string' && isStorableText(key);
  if (isStorable && key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH)
    return { idempotencyKey: key };
  throw new WebhookError(
    'invalid_idempotency_key',
    `An idempotency key is well-formed text of 1–${MAX_IDEMPOTENCY_KEY_LENGTH} characters without U+0000`,
  );
}
