import { pageDocument } from './texts/page-document.ts';

/** Panels of one origin keep apart what they store. */
const PREFIX = `acme-webhooks:${pageDocument?.getElementById('root')?.dataset.basePath ?? ''}:`;

const USER = 'user';

/**
 * The tab's session storage, which outlives a log-in. What it holds is of one user. A browser that
 * blocks it stores nothing.
 */
export const tabStorage = {
  get(key: string): string | null {
    return attempt(() => sessionStorage.getItem(PREFIX + key)) ?? null;
  },
  /** False if it could not be stored. */
  set(key: string, value: string): boolean {
    const stored = attempt(() => {
      sessionStorage.setItem(PREFIX + key, value);
      return true;
    });
    return stored ?? false;
  },
  remove(key: string): void {
    attempt(() => sessionStorage.removeItem(PREFIX + key));
  },
  clear(): void {
    attempt(() => {
      for (const key of Object.keys(sessionStorage)) {
        if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
      }
    });
  },
  /** False if it held what another user entered, which is dropped. */
  keepFor(user: string): boolean {
    const before = tabStorage.get(USER) ?? user;
    if (before !== user) tabStorage.clear();
    return !tabStorage.set(USER, user) || before === user;
  },
};

function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
