export type { ApiKeyGuardOptions } from '../guards/guard-check.ts';
export type { ConnectionInfo, FetchHandler, Mountable } from '../http/fetch-handler.ts';
export { claimsOf, setClaims } from '../http/request-claims.ts';
export type { AuthErrorHandlerOptions } from '../http/thrown-error.ts';
export { authErrorHandler } from './auth-error-handler.ts';
export { guarded, type Handler, type Wrapper } from './guarded.ts';
export {
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from './guards.ts';
export { type MountOptions, mountSessions } from './mount-sessions.ts';
