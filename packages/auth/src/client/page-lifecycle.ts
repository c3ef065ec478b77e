import type { Browser, PageEvents } from './browser.ts';

/** The events of a page that a poll needs to know. */
export interface PageListener {
  /** The user looks at the page again. */
  shown(): void;
  hidden(): void;
  online(): void;
  offline(): void;
  /**
   * The page is about to be frozen, in the background or the back-forward cache, or to close.
   */
  frozen(isLeaving: boolean): void;
  /** The page runs again after that. */
  resumed(): void;
}

/**
 * Listens to the page until the returned function is called.
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
  // A browser that does not report being offline counts as online.
  return navigator.onLine !== false;
}
