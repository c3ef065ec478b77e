import type { Browser, PageEvents } from './browser.ts';

/** What happens to a page that a poll has to know. */
export interface PageListener {
  /** The user looks at the page again. */
  shown(): void;
  hidden(): void;
  online(): void;
  offline(): void;
  /**
   * The page is about to stand still, in the background or the back-forward cache, or to go for
   * good.
   */
  frozen(isLeaving: boolean): void;
  /** The page goes on after that. */
  resumed(): void;
}

/**
 * Listens to the page until the function that it gives is called.
 *
 * There is no `unload` and no `beforeunload`: they fire too rarely on phones, and each keeps a page
 * out of the back-forward cache.
 */
export function listenToPage(browser: Browser, listener: PageListener): () => void {
  const { document } = browser;
  const listeners: readonly (readonly [PageEvents, string, (event: object) => void])[] = [
    [document, 'visibilitychange', () => (isVisible(browser) ? listener.shown() : listener.hidden())],
    [document, 'freeze', () => listener.frozen(false)],
    [document, 'resume', () => listener.resumed()],
    [browser, 'online', () => listener.online()],
    [browser, 'offline', () => listener.offline()],
    [browser, 'pagehide', () => listener.frozen(true)],
    [browser, 'pageshow', (event) => 'persisted' in event && event.persisted && listener.resumed()],
  ];
  for (const [target, type, run] of listeners) target.addEventListener(type, run);
  return () => {
    for (const [target, type, run] of listeners) target.removeEventListener(type, run);
  };
}

export function isVisible({ document }: Browser): boolean {
  return document.visibilityState !== 'hidden';
}

export function isOnline({ navigator }: Browser): boolean {
  // What does not say that it is offline is taken to be online.
  return navigator.onLine !== false;
}
