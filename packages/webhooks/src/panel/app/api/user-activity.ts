/** For this long after what the user did, a request counts as the user's. */
const ACTIVITY_MS = 5_000;

/** What users do. Coming back to a page is among it; so is opening it, which is the start. */
const DOINGS = ['pointerdown', 'keydown', 'input', 'popstate', 'visibilitychange'];

/** Watches whether the user is doing something; returns a function that tells. */
export function watchUserActivity(): () => boolean {
  let last = performance.now();
  const note = () => {
    last = performance.now();
  };
  for (const doing of DOINGS) addEventListener(doing, note, { capture: true, passive: true });
  return () => performance.now() - last < ACTIVITY_MS;
}
