import type { AttemptEnd } from './attempt-end.ts';

/** Attempts at once that a webhook begins with in a process. */
export const FIRST_LIMIT = 2;

/** A webhook's limit after an attempt: a success doubles it, and a timeout sets it to 1. */
export function limitAfter(limit: number, { isSuccess, isTimeout }: AttemptEnd, max: number): number {
  if (isTimeout) return 1;
  return isSuccess ? Math.min(limit * 2, max) : limit;
}
