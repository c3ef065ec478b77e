export type { ConnectionInfo, FetchHandler, Mountable } from '../http/fetch-handler.ts';
export type { ApiKeyGuardOptions } from '../http/guard-check.ts';
export { claimsOf } from '../http/request-claims.ts';
export { type AuthErrorHandler, authErrorHandler } from './auth-error-handler.ts';
export {
  type Guard,
  type GuardedRequest,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireSameOrigin,
  requireScope,
} from './guards.ts';
export { mountSessions, type PluginHost, type SessionsPlugin } from './mount-sessions.ts';
export type { ProblemReply } from './reply-problem.ts';
