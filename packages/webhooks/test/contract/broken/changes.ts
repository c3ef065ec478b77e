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
      async updateWebhook(id, change) {
        const updated = await sound.updateWebhook(id, change);
        if (updated !== undefined) given.set(id, change.updatedAt);
        return shown(updated);
      },
      findWebhook: async (id) => shown(await sound.findWebhook(id)),
    };
  }),
  broken('adds a second where the clock stands still', 'adds one millisecond', (sound) => ({
    async updateWebhook(id, change) {
      const before = await sound.findWebhook(id);
      const isLater = before === undefined || before.updatedAt < change.updatedAt;
      const updatedAt = isLater ? change.updatedAt : later(before.updatedAt, 1_000);
      return sound.updateWebhook(id, { ...change, updatedAt });
    },
  })),
  broken('ignores which state an update expects', 'in the state that is expected', (sound) => ({
    updateWebhook: (id, { expectedUpdatedAt: _, ...change }) => sound.updateWebhook(id, change),
  })),
  broken('ignores which state a rotation expects', 'in the state that is expected', (sound) => ({
    rotateSecret: (id, { expectedUpdatedAt: _, ...rotation }) => sound.rotateSecret(id, rotation),
  })),
  broken('ignores which state a removal expects', 'in the state that is expected', (sound) => ({
    deleteWebhook: (id) => sound.deleteWebhook(id),
  })),
  broken('expects a state to the second', 'in the state that is expected', (sound) => ({
    async updateWebhook(id, { expectedUpdatedAt, ...change }) {
      const before = await sound.findWebhook(id);
      const isExpected = before?.updatedAt.slice(0, 19) === expectedUpdatedAt?.slice(0, 19);
      if (expectedUpdatedAt !== undefined && !isExpected) return undefined;
      return sound.updateWebhook(id, change);
    },
  })),
  broken('removes the deliveries before it compares the state', 'in the state that is expected', (sound) => {
    const emptied = new Set<number>();
    return {
      deleteWebhook(id, expectedUpdatedAt) {
        emptied.add(id);
        return sound.deleteWebhook(id, expectedUpdatedAt);
      },
      listDeliveries: async (query) => (emptied.has(query.webhookId) ? [] : sound.listDeliveries(query)),
    };
  }),
  broken('compares the state first and writes later', 'one of many changes at once', (sound) => ({
    async updateWebhook(id, { expectedUpdatedAt, ...change }) {
      if (!(await isAsExpected(sound, id, expectedUpdatedAt))) return undefined;
      return sound.updateWebhook(id, change);
    },
    async rotateSecret(id, { expectedUpdatedAt, ...rotation }) {
      if (!(await isAsExpected(sound, id, expectedUpdatedAt))) return undefined;
      return sound.rotateSecret(id, rotation);
    },
    async deleteWebhook(id, expectedUpdatedAt) {
      return (await isAsExpected(sound, id, expectedUpdatedAt)) && sound.deleteWebhook(id);
    },
  })),
  broken('draws the updatedAt before it writes', 'an updatedAt of its own', (sound) => ({
    async updateWebhook(id, change) {
      const before = await sound.findWebhook(id);
      await setImmediate();
      const updated = await sound.updateWebhook(id, change);
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
