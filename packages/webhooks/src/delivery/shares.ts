/** What is known of a webhook in this process. */
export type Standing = 'proven' | 'unproven' | 'slow';

/** The slots of webhooks that are not proven. */
export type Taken = { unproven: number; slow: number };

export function take(taken: Taken, standing: Standing, count = 1): void {
  if (standing !== 'proven') taken[standing] += count;
}

/**
 * Whether webhooks of that standing occupy all the slots that they may: slow ones a quarter, with
 * unproven ones half.
 */
export function isOverShare(slots: number, standing: Standing, { slow, unproven }: Taken): boolean {
  if (standing === 'proven') return false;
  const quarters = (count: number) => Math.max(1, (slots * count) >> 2);
  if (standing === 'slow') return slow >= quarters(1) || slow + unproven >= quarters(2);
  // Where the pool is full, slow attempts keep slots that they got as unproven ones.
  return unproven >= quarters(2) || slow + unproven >= quarters(3);
}
