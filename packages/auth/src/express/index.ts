export type { ApiKeyGuardOptions } from '../guards/guard-check.ts';
export type { ConnectionInfo, FetchHandler, Mountable } from '../http/fetch-handler.ts';
export type { NodeRequest } from '../http/node-request.ts';
export { claimsOf } from '../http/request-claims.ts';
export { type AuthErrorHandler, authErrorHandler } from './auth-error-handler.ts';
export {
  type Guard,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireSameOrigin,
  requireScope,
} from './guards.ts';
export { type ExpressHandler, mountSessions } from './mount-sessions.ts';
