/**
 * How long requests are also signed with the old secret: a day, in which the recipient adopts the
 * new one.
 */
export const SECRET_OVERLAP_MS = 86_400_000;
