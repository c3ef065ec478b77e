export { setClaims } from '../http/request-claims.ts';
export { AuthExceptionFilter } from './auth-exception-filter.ts';
export { CurrentClaims, claimsOf } from './claims-of.ts';
export {
  type Guard,
  requireApiKey,
  requireAuth,
  requireAuthOrApiKey,
  requireRecentLogin,
  requireSameOrigin,
  requireScope,
} from './guards.ts';
export { RefusedException } from './refused-exception.ts';
