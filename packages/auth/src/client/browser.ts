/**
 * The few members of a page that the client uses, as structural types. The DOM's declarations
 * contradict those of Node, for which the package is compiled; without either, nothing of Node can
 * slip in, and a host needs no `lib.dom`. A test holds these shapes against the real DOM's.
 */
export interface Browser {
  readonly document: Pick<Browser, 'addEventListener'> & Record<'visibilityState' | 'baseURI', string>;
  readonly location: { assign(url: string): void } & Record<'href' | 'pathname' | 'search' | 'hash', string>;
  /** Missing in browsers before 2022, and `locks` on plain HTTP. */
  readonly navigator: { readonly locks?: Locks };
  readonly AbortController: new () => Abort;
  readonly BroadcastChannel?: new <Message>(name: string) => Channel<Message>;
  readonly URL: new (url: string, base: string) => Address;
  addEventListener(type: string, listener: () => void, options: object): void;
  fetch(url: string, request: object): Promise<HttpResponse>;
  queueMicrotask(run: () => void): void;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number | undefined): void;
}

export interface Abort {
  readonly signal: object;
  abort(): void;
}

export interface Channel<Message> {
  addEventListener(type: 'message', listener: (event: { readonly data: Message }) => void): void;
  postMessage(message: Message): void;
  close(): void;
}

interface Locks {
  request(name: string, how: LockOptions, granted: (lock: unknown) => Promise<unknown>): Promise<unknown>;
}

export type LockOptions = Partial<Record<'steal' | 'ifAvailable', boolean> & Pick<Abort, 'signal'>>;

interface Address {
  readonly href: string;
  readonly searchParams: { set(name: string, value: string): void };
}

interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

declare const window: Browser | undefined;

/** @throws TypeError if there is no page: a server may import the module, but not call it */
export function currentBrowser(caller: string): Browser {
  if (typeof window === 'undefined' || typeof window.document === 'undefined') {
    throw new TypeError(`${caller} needs a page: call it in a browser, not while rendering on a server`);
  }
  return window;
}
