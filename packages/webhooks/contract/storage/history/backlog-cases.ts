import assert from 'node:assert/strict';
import { AWKWARD_TEXTS, type HarnessCases } from '../contract-harness.ts';

/** The text that the engine keeps of backlogs. A storage without `stepBacklogs` promises nothing. */
export const backlogCases: HarnessCases = {
  async 'keeps what a step of backlogs returns, up to 60,000 bytes, and leaves it for undefined'({
    storage,
  }) {
    if (storage.stepBacklogs === undefined) return;
    const long = AWKWARD_TEXTS.join('').padEnd(19_000, '世');
    assert.equal(await storage.stepBacklogs(() => undefined), '');
    for (const [before, returned, after] of [
      ['', long, long],
      [long, undefined, long],
      [long, 'short', 'short'],
      ['short', '', ''],
    ] as const) {
      const seen = new Set<string>();
      const step = (kept: string) => {
        seen.add(kept);
        return returned;
      };
      assert.equal(await storage.stepBacklogs(step), after);
      assert.deepEqual([...seen], [before]);
    }
  },
  async 'passes each step of backlogs what the one before has kept, whichever process'(harness) {
    if (harness.storage.stepBacklogs === undefined) return;
    const increment = (kept: string) => String(Number(kept) + 1);
    const kept = await Promise.all(
      Array.from({ length: 20 }, (_, actor) => harness.storageOf(actor).stepBacklogs?.(increment)),
    );
    const numbers = Array.from({ length: 20 }, (_, i) => i + 1);
    assert.deepEqual(
      kept.map(Number).sort((a, b) => a - b),
      numbers,
    );
  },
};
