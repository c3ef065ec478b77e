import { isStorableText } from '../storage/storable-text.ts';

/** In UTF-16 code units. A uid of `@acme/auth` has at most 128, an email address at most 254. */
const MAX_UID_LENGTH = 255;

/** What {@link isUid} accepts, for messages. */
export const UID_BOUNDS = '1 to 255 characters without control characters';

/** Tells whether a value is a uid that every database stores and every log shows as it is. */
export function isUid(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 1 || value.length > MAX_UID_LENGTH) return false;
  return isStorableText(value) && !/\p{Cc}/u.test(value);
}

/** The uid as an integer: 0 if it is none, not numeric, or no safe integer. */
export function integerUid(uid: string | null): number {
  const number = uid !== null && /^-?\d+$/.test(uid) ? Number(uid) : 0;
  // `-0` is numeric too, but no id.
  return Number.isSafeInteger(number) && number !== 0 ? number : 0;
}
