import type { Claims } from '../claims.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logging/logger.ts';
import type { AuthRequest } from './auth-request.ts';

/** What guards need of an instance; every `Auth` has it. */
export interface Authenticator<Scope extends string = string> {
  readonly options: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly audience?: string | false | undefined;
  };
  authenticate(request: AuthRequest): Promise<Claims<Scope>>;
  assertSameOrigin(request: AuthRequest): void;
}

/**
 * @throws TypeError when a host passes something else: at construction, not at the first request
 */
export function requireInstance(auth: Authenticator): Authenticator['options'] {
  if (typeof auth?.authenticate === 'function' && typeof auth.assertSameOrigin === 'function')
    return auth.options;
  throw new TypeError('auth must be an instance that createAuth made');
}
