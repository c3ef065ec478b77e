import { answersFor } from '../../../toolkit/src/node-web/base-path.ts';
import { refuseUnknownOptions } from '../../../toolkit/src/options.ts';
import { type Mountable, mounted } from '../http/fetch-handler.ts';
import { serveBounded } from '../http/serve-bounded.ts';
import { requireHandler, type Wrapper } from './guarded.ts';

export interface MountOptions {
  /**
   * Returns the client's address, by which failed log-ins are counted. Read it from the arguments
   * that the runtime passes after the request, or from a header that your proxy sets and a client
   * cannot set. Default: no address is known.
   */
  readonly clientIp?: ((request: Request, ...rest: readonly unknown[]) => string | undefined) | undefined;
}

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof MountOptions>(['clientIp']);

/**
 * Serves the endpoints of `createSessions`, or another fetch handler, in front of a fetch
 * application.
 *
 * ```ts
 * const app = mountSessions(sessions)((request) => new Response('everything else'));
 * ```
 *
 * Every path without an endpoint of the sessions goes to the application. At most 64 KiB of a body
 * are read.
 *
 * @throws TypeError when `sessions` is not a handler, or an option is unknown
 */
export function mountSessions(sessions: Mountable, options: MountOptions = {}): Wrapper {
  refuseUnknownOptions('mountSessions', options, OPTION_NAMES);
  const { clientIp = () => undefined } = options;
  const { handler, basePath, serves } = mounted(sessions);
  return (application) => {
    requireHandler(application);
    return async (request, ...rest) => {
      const isOurs = answersFor(basePath, new URL(request.url).pathname, serves);
      if (!isOurs) return await application(request, ...rest);
      return await serveBounded(handler, { ip: clientIp(request, ...rest) }, () => request);
    };
  };
}
