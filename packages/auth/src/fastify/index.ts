export type {
  FastifyPlugin as SessionsPlugin,
  PluginHost,
} from '../../../toolkit/src/mounts/fastify-plugin.ts';
export type { ApiKeyGuardOptions } from '../guards/guard-check.ts';
export type { ConnectionInfo, FetchHandler, Mountable } from '../http/fetch-handler.ts';
export { claimsOf, setClaims } from '../http/request-claims.ts';
export type { AuthErrorHandlerOptions } from '../http/thrown-error.ts';
export { type AuthErrorHandler, authErrorHandler } from './auth-error-handler.ts';
export {
  type Guard,
  type GuardedRequest,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from './guards.ts';
export { mountSessions } from './mount-sessions.ts';
export type { ProblemReply } from './reply-problem.ts';
