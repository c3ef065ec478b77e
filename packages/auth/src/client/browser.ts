/**
 * The few members of a page that the client uses, as structural types.
 *
 * The package is compiled for Node, without the DOM's declarations, and both at once contradict
 * each other. Declared here, nothing of Node can slip in and a host needs neither `lib.dom` nor
 * `@types/node` to compile against us; a test holds these shapes against the real DOM's.
 */

export interface PageEvents {
  addEventListener(type: string, listener: (event: object) => void): void;
  removeEventListener(type: string, listener: (event: object) => void): void;
}

export interface Abort {
  readonly signal: PageEvents & { readonly aborted: boolean };
  abort(): void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

export interface HttpRequest {
  readonly method: 'POST';
  readonly credentials: 'include';
  readonly cache: 'no-store';
  readonly redirect: 'error';
  readonly headers: Record<string, string>;
  readonly signal: Abort['signal'];
}

export interface Channel extends PageEvents {
  postMessage(message: unknown): void;
  close(): void;
}

export interface Locks {
  request(
    name: string,
    options: { readonly signal?: Abort['signal']; readonly steal?: boolean; readonly ifAvailable?: boolean },
    granted: (lock: unknown) => Promise<unknown>,
  ): Promise<unknown>;
}

export interface Address {
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly searchParams: { set(name: string, value: string): void };
  hash: string;
}

/** A page's `window`, as far as it is used. */
export interface Browser extends PageEvents {
  readonly document: PageEvents & { readonly visibilityState: string; readonly baseURI: string };
  readonly location: {
    readonly origin: string;
    readonly pathname: string;
    readonly search: string;
    readonly hash: string;
    assign(url: string): void;
  };
  /** `locks` is missing in insecure contexts and in browsers before 2022. */
  readonly navigator: { readonly onLine: boolean; readonly locks?: Locks };
  readonly AbortController: new () => Abort;
  readonly BroadcastChannel: new (name: string) => Channel;
  readonly URL: new (url: string, base: string) => Address;
  fetch(url: string, request: HttpRequest): Promise<HttpResponse>;
  queueMicrotask(run: () => void): void;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number | undefined): void;
}

declare const window: Browser | undefined;

/**
 * Gives the page's `window`. It is read when `caller` is called, so that a server may import the
 * module.
 *
 * @throws TypeError if there is no page
 */
export function currentBrowser(caller: string): Browser {
  if (typeof window === 'undefined' || typeof window.document === 'undefined') {
    throw new TypeError(`${caller} needs a page: call it in a browser, not while rendering on a server`);
  }
  return window;
}
