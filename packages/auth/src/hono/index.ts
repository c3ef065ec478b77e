export type { ApiKeyGuardOptions } from '../guards/guard-check.ts';
export type { ConnectionInfo, FetchHandler, Mountable } from '../http/fetch-handler.ts';
export { claimsOf } from '../http/request-claims.ts';
export type { AuthErrorHandlerOptions } from '../http/thrown-error.ts';
export { authErrorHandler } from './auth-error-handler.ts';
export {
  type AuthEnv,
  type Guard,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from './guards.ts';
export { type MountOptions, mountSessions } from './mount-sessions.ts';
export { setClaims } from './set-claims.ts';
