export {
  generateApiKey,
  hashApiKey,
  parseApiKey,
} from './api-keys/api-key.ts';
export type { ApiKeyJson, CreatedApiKey, ListedApiKey } from './api-keys/api-key-json.ts';
export type {
  ApiKey,
  ApiKeyStore,
} from './api-keys/api-key-store.ts';
export type { ApiKeyValidator } from './api-keys/api-key-validator.ts';
export { type ApiKeys, createApiKeys } from './api-keys/api-keys.ts';
export { memoryApiKeyStore } from './api-keys/memory-api-key-store.ts';
export { type Auth, createAuth, type ScopeOf } from './auth.ts';
export type { AuthOptions } from './auth-options.ts';
export { Claims, type ClaimsInit } from './claims.ts';
export type { AuthErrorCode } from './error-codes.ts';
export {
  AuthError,
  ErrInvalidToken,
  ErrNoToken,
  ErrTokenExpired,
  isAuthError,
} from './errors.ts';
export type { ApiKeyGuardOptions } from './guards/guard-check.ts';
export type { HostTransaction } from './host-transaction.ts';
export type { AuthRequest } from './http/auth-request.ts';
export { authenticateApiKey, authenticateAuthOrApiKey } from './http/authenticate-api-key.ts';
export type { ConnectionInfo } from './http/fetch-handler.ts';
export { type Problem, problemFor } from './http/problem.ts';
export { assertRecentLogin } from './http/recent-login.ts';
export type { AuthErrorHandlerOptions } from './http/thrown-error.ts';
export type { TokenRefusedEvent } from './http/token-refusal.ts';
export type { Logger } from './logging/logger.ts';
export { memoryOneTimeTokenStore } from './one-time-tokens/memory-one-time-token-store.ts';
export type {
  OneTimeToken,
  OneTimeTokenStore,
} from './one-time-tokens/one-time-token-store.ts';
export {
  createOneTimeTokens,
  type OneTimeTokens,
} from './one-time-tokens/one-time-tokens.ts';
export type { OneTimeTokensOptions } from './one-time-tokens/one-time-tokens-options.ts';
export { createTokenRequests, type TokenRequests } from './one-time-tokens/token-requests.ts';
export type { TokenMail, TokenRequestsOptions } from './one-time-tokens/token-requests-options.ts';
export type { HashingLimiterOptions } from './passwords/hashing-limiter.ts';
export {
  createHashingLimiter,
  type HashingLimiter,
} from './passwords/hashing-limiter.ts';
export type { PasswordOptions } from './passwords/password.ts';
export { hashPassword, needsRehash, verifyPassword } from './passwords/password.ts';
export { createSessions } from './sessions/create-sessions.ts';
export type {
  LoginAttemptEvent,
  LoginEvent,
  LoginFailedEvent,
  ReuseDetectedEvent,
  SessionAnomalyEvent,
  SessionRevokedEvent,
  ThrottledEvent,
} from './sessions/events/session-events.ts';
export type { Credentials } from './sessions/log-in/credentials.ts';
export type { PasswordCredentialsOptions } from './sessions/log-in/password-credentials.ts';
export {
  type ForeignVerifier,
  type PasswordUser,
  passwordCredentials,
} from './sessions/log-in/password-credentials.ts';
export type { Session } from './sessions/session.ts';
export type { SessionGrant } from './sessions/session-grant.ts';
export type { Sessions } from './sessions/sessions.ts';
export type {
  SessionsOptions,
  SessionUser,
  VerifyCredentials,
} from './sessions/sessions-options.ts';
export { memorySessionStore } from './sessions/store/memory-session-store.ts';
export type { SessionStore } from './sessions/store/session-store.ts';
export type { LoginFailureStore } from './throttle/login-failure-store.ts';
export { generateId } from './tokens/random-id.ts';
export { generateRefreshToken, hashToken } from './tokens/refresh-token.ts';
export type { RevocationEntry, Revocations } from './tokens/revocations.ts';
