import { setImmediate } from 'node:timers/promises';
import type { WebhookStorage } from '../../../src/storage/storage.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** Storages that lose track of when a webhook was changed, or for which state of it. */
export const brokenChanges: readonly BrokenStorage[] = [
  broken('keeps the updatedAt that it is given', 'a later updatedAt with every change', (sound) => {
    const given = new Map<number, string>();
    const shown = <Found extends { readonly id: number } | undefined>(webhook: Found): Found => {
      const updatedAt = webhook && given.get(webhook.id);
      return updatedAt === undefined ? webhook : { ...webhook, updatedAt };
    };
    return {
      async changeWebhook(id, change) {
        const updated = await sound.changeWebhook(id, change);
        if (updated !== undefined) given.set(id, change.updatedAt);
        return shown(updated);
      },
      findWebhook: async (id) => shown(await sound.findWebhook(id)),
    };
  }),
  broken('adds a second where the clock stands still', 'adds one millisecond', (sound) => ({
    async changeWebhook(id, change) {
      const before = await sound.findWebhook(id);
      const isLater = before === undefined || before.updatedAt < change.updatedAt;
      const updatedAt = isLater ? change.updatedAt : later(before.updatedAt, 1_000);
      return sound.changeWebhook(id, { ...change, updatedAt });
    },
  })),
  broken('ignores which state a change expects', 'in the state that is expected', (sound) => ({
    changeWebhook: (id, { expected: _, ...change }) => sound.changeWebhook(id, change),
  })),
  broken('ignores which state a removal expects', 'in the state that is expected', (sound) => ({
    deleteWebhook: (id) => sound.deleteWebhook(id),
  })),
  broken('expects a state to the second', 'in the state that is expected', (sound) => ({
    async changeWebhook(id, { expected, ...change }) {
      const before = await sound.findWebhook(id);
      const isExpected = before?.updatedAt.slice(0, 19) === expected?.updatedAt?.slice(0, 19);
      if (expected !== undefined && !isExpected) return undefined;
      return sound.changeWebhook(id, change);
    },
  })),
  broken('removes the deliveries before it compares the state', 'in the state that is expected', (sound) => {
    const emptied = new Set<number>();
    return {
      deleteWebhook(id, expectedUpdatedAt) {
        emptied.add(id);
        return sound.deleteWebhook(id, expectedUpdatedAt);
      },
      async findDeliveries(search) {
        const page = await sound.findDeliveries(search);
        return emptied.has(search.webhookId ?? 0) ? { ...page, deliveries: [] } : page;
      },
    };
  }),
  broken('compares the state first and writes later', 'one of many changes at once', (sound) => ({
    async changeWebhook(id, { expected, ...change }) {
      if (!(await isAsExpected(sound, id, expected?.updatedAt))) return undefined;
      return sound.changeWebhook(id, change);
    },
    async deleteWebhook(id, expectedUpdatedAt) {
      return (await isAsExpected(sound, id, expectedUpdatedAt)) && sound.deleteWebhook(id);
    },
  })),
  broken('draws the updatedAt before it writes', 'an updatedAt of its own', (sound) => ({
    async changeWebhook(id, change) {
      const before = await sound.findWebhook(id);
      await setImmediate();
      const updated = await sound.changeWebhook(id, change);
      return updated && before && { ...updated, updatedAt: later(before.updatedAt, 1) };
    },
  })),
];

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

async function isAsExpected(
  sound: WebhookStorage,
  id: number,
  expectedUpdatedAt: string | undefined,
): Promise<boolean> {
  const webhook = await sound.findWebhook(id);
  await setImmediate();
  return webhook !== undefined && (expectedUpdatedAt ?? webhook.updatedAt) === webhook.updatedAt;
}
