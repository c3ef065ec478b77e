import { pageDocument } from './texts/page-document.ts';

/** Panels of one origin keep apart what they store. */
const PREFIX = `acme-webhooks:${pageDocument?.getElementById('root')?.dataset.basePath ?? ''}:`;

/** The tab's session storage. A browser that blocks it stores nothing. */
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
};

function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
