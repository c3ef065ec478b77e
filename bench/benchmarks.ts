/** Every benchmark of `npm run bench` by its name, in the order in which they run. */
export const BENCHMARKS: Readonly<Record<string, string>> = {
  tokens: 'packages/auth/bench/tokens.ts',
  hmac: 'packages/auth/bench/hmac.ts',
  passwords: 'packages/auth/bench/passwords.ts',
  'token-cache-memory': 'packages/auth/bench/token-cache-memory.ts',
  imports: 'packages/webhooks/bench/imports.ts',
  dispatch: 'packages/webhooks/bench/dispatch.ts',
  'burst-memory': 'packages/webhooks/bench/burst-memory.ts',
  delivery: 'packages/webhooks/bench/delivery.ts',
  purge: 'packages/webhooks/bench/purge.ts',
  scale: 'packages/webhooks/bench/scale.ts',
  contention: 'packages/webhooks/bench/contention.ts',
  network: 'packages/webhooks/bench/network.ts',
  fairness: 'packages/webhooks/bench/fairness.ts',
};
