import type { Auth } from '../../src/auth.ts';
import { createAuth } from '../../src/auth.ts';
import type { AuthOptions } from '../../src/auth-options.ts';
import type { ConnectionInfo } from '../../src/http/fetch-handler.ts';
import { createSessions } from '../../src/sessions/create-sessions.ts';
import type { SessionRevokedEvent } from '../../src/sessions/events/session-events.ts';
import type { Sessions } from '../../src/sessions/sessions.ts';
import type { SessionsOptions, SessionUser } from '../../src/sessions/sessions-options.ts';
import { memorySessionStore } from '../../src/sessions/store/memory-session-store.ts';
import type { SessionStore } from '../../src/sessions/store/session-store.ts';
import { type FakeClock, fakeClock } from '../fake-clock.ts';

export const SIGNING_KEY = 'a-signing-key-of-at-least-32-bytes-for-tests';

/** An application with users, sessions, and everything that it was told. */
export interface SessionHost {
  readonly clock: FakeClock;
  readonly auth: Auth;
  readonly store: SessionStore;
  readonly sessions: Sessions;
  /** By uid. The password of every user is `secret of <uid>`. */
  readonly users: Map<string, SessionUser>;
  readonly revoked: SessionRevokedEvent[];
  readonly logged: string[];
}

export interface SessionHostOptions extends Partial<SessionsOptions>, Pick<AuthOptions, 'clock' | 'logger'> {
  readonly authOptions?: Partial<AuthOptions>;
}

export function sessionHost(host: SessionHostOptions = {}): SessionHost {
  const { authOptions, clock: ownClock, logger: ownLogger, ...options } = host;
  const clock = fakeClock();
  const logged: string[] = [];
  const logger = ownLogger ?? { error: (_fields: object, message: string) => void logged.push(message) };
  const auth = createAuth({ signingKey: SIGNING_KEY, clock: ownClock ?? clock, logger, ...authOptions });
  const store = options.store ?? memorySessionStore();
  const users = new Map<string, SessionUser>([
    ['7', { scopes: ['admin'] }],
    ['42', { scopes: [] }],
  ]);
  const revoked: SessionRevokedEvent[] = [];
  const sessions = createSessions({
    auth,
    store,
    loadUser: async (uid) => users.get(uid),
    verifyCredentials: async ({ login, password }) =>
      typeof login === 'string' && password === `secret of ${login}` ? { uid: login } : undefined,
    onSessionRevoked: (event) => void revoked.push(event),
    ...options,
  });
  return { clock, auth, store, sessions, users, revoked, logged };
}

/** A browser: it keeps cookies by name and path, and sends them to the paths below. */
export class Browser {
  readonly #sessions: Sessions;
  readonly #origin: string;
  readonly cookies = new Map<string, { readonly value: string; readonly path: string }>();
  /** What every request carries besides cookies. */
  headers: Record<string, string> = { 'user-agent': 'Mozilla/5.0' };
  connection: ConnectionInfo = { ip: '192.0.2.1' };

  constructor({ sessions }: { readonly sessions: Sessions }, origin = 'https://app.example') {
    this.#sessions = sessions;
    this.#origin = origin;
  }

  get accessToken(): string | undefined {
    return this.cookies.get('access_token')?.value;
  }

  get refreshToken(): string | undefined {
    return this.cookies.get('refresh_token')?.value;
  }

  /**
   * Sends a request below the sessions' base path, takes the cookies of the answer, and waits for
   * the hooks, so that a test sees what they were told.
   */
  async send(method: string, path: string, init: { body?: string; cookie?: string } = {}): Promise<Response> {
    const response = await this.request(method, path, init);
    this.receive(response);
    await this.#sessions.idle();
    return response;
  }

  /** Sends a request and leaves its answer on the way. */
  request(method: string, path: string, init: { body?: string; cookie?: string } = {}): Promise<Response> {
    const pathname = `${this.#sessions.basePath}${path}`;
    const headers = new Headers(this.headers);
    const cookie = init.cookie ?? this.cookieHeader(pathname);
    if (cookie !== '') headers.set('cookie', cookie);
    const body = init.body === undefined ? {} : { body: init.body };
    const request = new Request(`${this.#origin}${pathname}`, { method, headers, ...body });
    return this.#sessions.handler(request, this.connection);
  }

  receive(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const [, path = '/'] = /; Path=([^;]+)/.exec(line) ?? [];
      if (/; Max-Age=0(;|$)/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, { value, path });
    }
  }

  cookieHeader(pathname: string): string {
    const sent = [...this.cookies].filter(([, { path }]) => `${pathname}/`.startsWith(`${path}/`));
    return sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  logIn(uid = '7', password = `secret of ${uid}`): Promise<Response> {
    return this.send('POST', '/login', { body: JSON.stringify({ login: uid, password }) });
  }

  poll(): Promise<Response> {
    return this.send('POST', '/status');
  }
}
