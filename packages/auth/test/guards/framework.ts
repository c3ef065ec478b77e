import type { HeadersBefore, Served } from '../../../toolkit/test/framework-hosts.ts';
import type { ApiKeyValidator } from '../../src/api-keys/api-key-validator.ts';
import type { Auth } from '../../src/auth.ts';
import type { Claims, ClaimsInit } from '../../src/claims.ts';
import type { ApiKeyGuardOptions } from '../../src/guards/guard-check.ts';
import type { Guards } from '../../src/guards/guards-for.ts';
import type { FetchHandler } from '../../src/http/fetch-handler.ts';
import type { Logger } from '../../src/logging/logger.ts';

/**
 * One framework as the contracts of guards and of `mountSessions` see it. `G` is its own kind of
 * guard.
 */
export interface Framework<G> {
  readonly requireAuth: (auth: Auth) => G;
  readonly requireScope: Guards<G>['requireScope'];
  readonly requireRecentLogin: (seconds: number) => G;
  readonly requireApiKey: (validator: ApiKeyValidator, options?: ApiKeyGuardOptions) => G;
  readonly requireAuthOrApiKey: (auth: Auth, validator: ApiKeyValidator) => G;
  readonly requireSameOrigin: (auth: Auth) => G;
  /** Injects claims as the documentation of `withClaims` shows it, in a guard's place. */
  readonly injecting: (claims: ClaimsInit) => G;
  /** Serves an application until the test is over. */
  readonly start: (application: Application<G>) => Promise<Served>;
}

export interface Application<G> {
  /** Where everything below is mounted, in the framework's own way; '' is the root. */
  readonly prefix: string;
  /** Guards in front of all that lies below the prefix, known or not. */
  readonly outer?: readonly G[];
  readonly routes?: readonly Route<G>[];
  readonly before?: HeadersBefore;
  /** A fetch handler, put into the application by `mountSessions`. */
  readonly mount?: Mount;
  /** That of the error handler. */
  readonly logger?: Logger | undefined;
}

export interface Route<G> {
  /**
   * Relative to the prefix, with a leading slash; it answers every method that the framework knows.
   */
  readonly path: string;
  readonly guards: readonly G[];
  /** What to answer, as JSON; it may throw, and ask for the claims. */
  readonly answer: (claims: () => Claims) => object;
}

export interface Mount {
  readonly sessions: FetchHandler | { readonly handler: FetchHandler; readonly basePath?: string };
  /** Where in the framework the handler is put. */
  readonly at: 'root' | 'its own path';
  /** Whether something has read the body before, as an application's body parser does. */
  readonly afterBodyParser: boolean;
}
