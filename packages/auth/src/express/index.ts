export type { ExpressHandler } from '../../../toolkit/src/mounts/express-handler.ts';
export type { NodeRequest } from '../../../toolkit/src/node-web/node-request.ts';
export type { ApiKeyGuardOptions } from '../guards/guard-check.ts';
export type { ConnectionInfo, FetchHandler, Mountable } from '../http/fetch-handler.ts';
export { claimsOf, setClaims } from '../http/request-claims.ts';
export type { AuthErrorHandlerOptions } from '../http/thrown-error.ts';
export { type AuthErrorHandler, authErrorHandler } from './auth-error-handler.ts';
export {
  type Guard,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from './guards.ts';
export { mountSessions } from './mount-sessions.ts';
