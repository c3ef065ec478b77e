/**
 * The integer view of a uid: 0 unless it is a decimal integer within the safe range of a number.
 * `007` is 7: whoever must tell the two apart compares the uids.
 */
export function integerUid(uid: string): number {
  const value = /^-?\d+$/.test(uid) ? Number(uid) : 0;
  // `-0` is an integer for Number but not an id that anybody means.
  return Number.isSafeInteger(value) && value !== 0 ? value : 0;
}
