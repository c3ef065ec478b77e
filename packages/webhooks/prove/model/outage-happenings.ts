import type { World } from './world.ts';

const MINUTE_MS = 60_000;
const MAX_ATTEMPTS = 2;
/** As many failures as an outage has. */
const OUTAGE_EVENTS = 3;

/** What happens around an outage: many of them in a row, which chance alone seldom brings. */
export const OUTAGE_STEPS = ['is away', 'fails', 'is back', 'goes on', 'look'] as const;

export type OutageStep = (typeof OUTAGE_STEPS)[number];

/** Lets the recipients of that process be away, and whatever follows. */
export async function liveThrough(world: World, of: number, steps: readonly OutageStep[]): Promise<void> {
  const taken: Readonly<Record<OutageStep, () => Promise<void>>> = {
    async 'is away'() {
      for (let event = 0; event < OUTAGE_EVENTS; event++) {
        await dispatchOne(world);
        await letFail(world, of);
        await world.pass(MINUTE_MS);
      }
    },
    async fails() {
      await dispatchOne(world);
      await letFail(world, of);
    },
    async 'is back'() {
      await dispatchOne(world);
      await answerAll(world, of, 'success');
    },
    'goes on': () => world.pass(60 * MINUTE_MS),
    look: () => world.look(),
  };
  for (const step of ['is away', ...steps] as const) {
    await taken[step]();
    await world.verify();
  }
}

/** Lets every attempt of a series fail that the process makes. */
export async function letFail(world: World, of: number): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    await answerAll(world, of, 'failure');
    await world.pass(MINUTE_MS);
  }
}

async function answerAll(world: World, of: number, how: 'success' | 'failure'): Promise<void> {
  world.workers[of]?.poll();
  await world.verify();
  for (const request of [...(world.workers[of]?.requests ?? [])]) request.answer(how);
  await world.verify();
}

function dispatchOne(world: World): Promise<void> {
  return world.dispatch([{ name: 'a.x', key: undefined, webhook: undefined }]);
}
