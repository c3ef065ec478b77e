import type { PanelConfig } from '../panel-config.ts';

/** What the app does when the API says that nobody is logged in. */
export interface Session {
  /** Asks the status endpoint, once however many requests wait for it; tells whether asking the API again is worth it. */
  renew(): Promise<boolean>;
  /** The API knew the visitor: a log-in did help. */
  confirm(): void;
  /** Goes to the log-in page, which is to come back here. False: there is none, or it was just visited in vain. */
  logIn(): boolean;
  /** Where the log-in is, for a link; null where there is none. */
  readonly loginHref: () => string | null;
}

const VISITED = 'acme-webhooks:log-in-visited';

export function createSession({ statusUrl, loginUrl }: PanelConfig): Session {
  let renewing: Promise<boolean> | undefined;

  async function askStatus(url: string): Promise<boolean> {
    try {
      const response = await fetch(url, { method: 'POST', credentials: 'same-origin' });
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
    logIn() {
      const href = loginHref();
      // A log-in that leaves the API unimpressed would send the browser in a circle: then the visitor decides.
      if (href === null || sessionStorage.getItem(VISITED) !== null) return false;
      sessionStorage.setItem(VISITED, 'yes');
      location.assign(href);
      return true;
    },
  };
}
