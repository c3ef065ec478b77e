import { openEngine } from './engine.ts';
import { SETTINGS_VARIABLE } from './worker-settings.ts';

/**
 * A worker process: delivers until it is killed. Tells its parent the token of every claim before
 * it claims.
 */
const engine = await openEngine(JSON.parse(process.env[SETTINGS_VARIABLE] ?? '{}'), (claimToken) => {
  process.send?.({ claimToken });
});
await engine.webhooks.start();
process.send?.('started');
// The proof that started it is gone: nothing else would ever end it.
process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', () => {
  void engine.close().then(() => process.exit(0));
});
