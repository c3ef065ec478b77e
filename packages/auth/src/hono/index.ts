export { claimsOf } from '../http/request-claims.ts';
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
export type { MountOptions } from './mount-sessions.ts';
export { mountSessions } from './mount-sessions.ts';
export { setClaims } from './set-claims.ts';
