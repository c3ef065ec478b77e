export { claimsOf, setClaims } from '../http/request-claims.ts';
export { authErrorHandler } from './auth-error-handler.ts';
export { guarded, type Wrapper } from './guarded.ts';
export {
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from './guards.ts';
export type { MountOptions } from './mount-sessions.ts';
export { mountSessions } from './mount-sessions.ts';
