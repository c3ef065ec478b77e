import type { PanelConfig } from '../panel-config.ts';

/** What the app does when the API says that nobody is logged in. */
export interface Session {
  /** Asks the status endpoint, once however many requests wait for it; tells whether asking the API again is worth it. */
  renew(): Promise<boolean>;
  /** The API knew the visitor: a log-in did help. */
  confirm(): void;
  /**
   * Goes to the log-in page, which is to come back here. False: there is none, it was just visited in vain, or the page
   * is held and only a read asks for it.
   */
  logIn(isRead: boolean): boolean;
  /** Keeps the page until the function it gives is called: no read leads away, and the browser asks before it leaves. */
  holdPage(): () => void;
  /** Where the log-in is, for a link; null where there is none. */
  readonly loginHref: () => string | null;
}

const VISITED = 'acme-webhooks:log-in-visited';

export function createSession({ statusUrl, loginUrl }: PanelConfig): Session {
  let renewing: Promise<boolean> | undefined;
  const holds = new Set<symbol>();
  const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

  async function askStatus(url: string): Promise<boolean> {
    try {
      const response = await fetch(url, { method: 'POST', credentials: 'same-origin' });
      // Nobody reads it, and an unread body keeps its connection.
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }

  function loginHref(): string | null {
    if (loginUrl === null) return null;
    const here = `${location.pathname}${location.search}`;
    return `${loginUrl}${loginUrl.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(here)}`;
  }

  return {
    loginHref,
    async renew() {
      if (statusUrl === null) return false;
      renewing ??= askStatus(statusUrl).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    confirm() {
      sessionStorage.removeItem(VISITED);
    },
    holdPage() {
      const hold = Symbol('hold');
      holds.add(hold);
      addEventListener('beforeunload', askFirst);
      return () => {
        holds.delete(hold);
        if (holds.size === 0) removeEventListener('beforeunload', askFirst);
      };
    },
    logIn(isRead) {
      if (isRead && holds.size > 0) return false;
      const href = loginHref();
      // A log-in that leaves the API unimpressed would send the browser in a circle: then the visitor decides.
      if (href === null || sessionStorage.getItem(VISITED) !== null) return false;
      sessionStorage.setItem(VISITED, 'yes');
      removeEventListener('beforeunload', askFirst);
      location.assign(href);
      return true;
    },
  };
}
