import { tell } from '../page/frame-owner.ts';
import type { PanelConfig } from '../panel-config.ts';
import { tabStorage } from '../tab-storage.ts';
import { createHolds, type Holds } from './holds.ts';

/** What the app does when the API answers that no user is logged in. */
export interface Session extends Pick<Holds, 'hold' | 'leave'> {
  /**
   * Sends one request to the status endpoint, shared by all callers. True if the API is worth
   * asking again.
   */
  renew(): Promise<boolean>;
  /** What the API calls the visitor whose page this is; null before it said so. */
  user(): string | null;
  /**
   * Records that the API accepted the visitor, so that a later log-in is tried again. False if it
   * is another one than before in this page or this tab: the page then begins anew, unless it shows
   * a secret.
   *
   * @param accepted what the API calls the visitor; null if it does not say
   */
  confirm(accepted: string | null): boolean;
  /**
   * Stores what was typed and goes to the log-in page, which returns here afterwards. False if there
   * is none, if it was just visited in vain, or if the page shows a secret.
   * An application's own does not belong into a frame: there, the page around is told, and it is
   * false, too.
   */
  logIn(): boolean;
  /** Stores what was typed, for a visit to the log-in page in this tab. */
  storeInput(): void;
  /** Sends the log-out to its endpoint. False if it was refused or not answered. */
  end(logoutUrl: string): Promise<boolean>;
  /** The address of the log-in page, for a link; null if there is none. */
  readonly loginHref: () => string | null;
  /** Where that link opens: outside of the frame that this page is in. */
  readonly loginTarget: '_blank' | undefined;
}

const TIMEOUT_MS = 30_000;
const VISITED = 'log-in-visited';

export function createSession({ statusUrl, loginUrl, loginEndpoint, embeddedBy }: PanelConfig): Session {
  const isOutside = parent !== window && loginEndpoint === null;
  let renewing: Promise<boolean> | undefined;
  let user: string | null = null;
  const holds = createHolds();

  function storeInput(): void {
    if (isOutside) return;
    holds.store();
    holds.release();
  }

  /** The first 401 may have set the cookie to ask with. */
  async function post(url: string, repeats = 0): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        credentials: 'same-origin',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // An unread body would keep its connection busy.
      await response.body?.cancel();
      if (response.status === 401 && repeats > 0) return await post(url, repeats - 1);
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
    loginTarget: isOutside ? '_blank' : undefined,
    end: (logoutUrl) => post(logoutUrl),
    async renew() {
      if (statusUrl === null) return false;
      renewing ??= post(statusUrl, 1).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    user: () => user,
    confirm(accepted) {
      tabStorage.remove(VISITED);
      if (accepted === null) return true;
      // Not from the tab's storage: another frame may have written there, and it may be blocked.
      user ??= accepted;
      if (holds.hasSecret()) return true;
      if (tabStorage.keepFor(accepted) && user === accepted) return true;
      holds.release();
      location.reload();
      return false;
    },
    hold: holds.hold,
    leave: holds.leave,
    storeInput,
    logIn() {
      if (holds.hasSecret()) return false;
      // A log-in that the API does not accept would cause a redirect loop, so the visitor decides
      // then, even if nothing remembers the visit.
      if (tabStorage.get(VISITED) !== null || !tabStorage.set(VISITED, 'yes')) return false;
      const href = isOutside ? null : loginHref();
      if (href === null) {
        tell(embeddedBy, { type: 'session-ended' });
        return false;
      }
      storeInput();
      location.assign(href);
      return true;
    },
  };
}
