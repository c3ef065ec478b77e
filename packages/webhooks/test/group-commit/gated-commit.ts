import { setImmediate } from 'node:timers/promises';
import { createGroupCommit, type GroupCommit } from '../../src/group-commit/group-commit.ts';

/** A commit, and the groups that it was given. */
export interface Gate {
  readonly groups: (readonly number[])[];
  readonly commit: (items: readonly number[]) => Promise<string[]>;
  release(): void;
}

/** A commit that records its groups and, once told so, holds each until it is released. */
export function gatedCommit({
  isHeld = false,
  fails = () => false,
}: {
  isHeld?: boolean;
  fails?: (items: readonly number[]) => boolean;
} = {}): Gate {
  const groups: (readonly number[])[] = [];
  let release = () => {};
  return {
    groups,
    release: () => release(),
    async commit(items) {
      groups.push(items);
      if (isHeld) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      if (fails(items)) throw new Error(`refused ${items.join(',')}`);
      return items.map((item) => `done ${item}`);
    },
  };
}

/** A group commit over that gate, with bounds that no test reaches by chance. */
export function group(
  gate: Gate,
  bounds: Partial<Parameters<typeof createGroupCommit<number, string>>[0]> = {},
): GroupCommit<number, string> {
  return createGroupCommit<number, string>({
    commit: gate.commit,
    sizeOf: (item) => item,
    maxItemsPerCommit: 10,
    costOf: () => 1,
    maxCostPerCommit: 1_000,
    maxWaitingItems: 100,
    maxWaitingSize: 10_000,
    ...bounds,
  });
}

/** Lets so many turns of the event loop pass. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}
