import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import type { WebhookStorage } from '../../../src/storage/storage.ts';

/** A storage that breaks one promise. */
export interface BrokenStorage {
  readonly fault: string;
  /** Part of the name of the case that is there to notice. */
  readonly noticedBy: string;
  create(): WebhookStorage;
}

/** `memoryStorage` with some of its methods broken. */
export function broken(
  fault: string,
  noticedBy: string,
  breakOne: (sound: WebhookStorage) => Partial<WebhookStorage>,
): BrokenStorage {
  return {
    fault,
    noticedBy,
    create() {
      const sound = memoryStorage();
      return { ...sound, ...breakOne(sound) };
    },
  };
}
