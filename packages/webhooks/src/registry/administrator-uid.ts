import { isBlank } from '../../../toolkit/src/blank-text.ts';
import { isPlainLine } from '../../../toolkit/src/plain-line.ts';

/** In UTF-16 code units. A uid of `@acme/auth` has at most 128, an email address at most 254. */
const MAX_UID_LENGTH = 255;

/** What {@link isUid} accepts, for messages. */
export const UID_BOUNDS =
  '1 to 255 characters, one of them visible, without control characters, line separators or bidirectional controls';

/** Tells whether a value is a uid that every database stores and every log shows as it is. */
export function isUid(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 1 || value.length > MAX_UID_LENGTH) return false;
  return isPlainLine(value) && !isBlank(value);
}
