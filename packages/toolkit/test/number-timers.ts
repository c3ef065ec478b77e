/**
 * Lets `setTimeout`, which a test has faked, return numbers, as that of a browser or of jsdom does.
 * Real timers end this.
 */
export function numberTimers(): void {
  const { setTimeout } = globalThis;
  const numbered = (...call: Parameters<typeof setTimeout>) => Number(setTimeout(...call));
  // What the fake one carries tells how to put the real one back.
  Object.assign(globalThis, { setTimeout: Object.assign(numbered, setTimeout) });
}
