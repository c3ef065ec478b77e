import { ErrInvalidToken } from '../errors.ts';
import { member, parseJsonObject } from './json-object.ts';

export const ALGORITHM = 'HS256';
/**
 * RFC 9068 section 2.1. The explicit type keeps a token made for another purpose from passing as an
 * access token.
 */
export const TOKEN_TYPE = 'at+jwt';

/**
 * `crit` announces rules we do not know; the others offer a key, and a token does not choose its
 * own key.
 */
const REFUSED_PARAMETERS = ['crit', 'jku', 'jwk', 'x5u', 'x5c'] as const;

/**
 * Reads the `kid` of a canonical token's header, and refuses every header but ours.
 *
 * Nothing in the header chooses an algorithm: it must name the only one there is (RFC 8725 section
 * 3.1).
 *
 * @param isForeign takes the type `JWT`, and none, as other issuers write it: for tokens that are
 *   bound to no instance anyway
 * @throws ErrInvalidToken
 */
export function readTokenHeader(token: string, isForeign: boolean): { readonly kid: string | undefined } {
  const header = parseJsonObject(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url'));
  if (header === undefined) throw new ErrInvalidToken('The token has no JSON header', 'header');
  if (member(header, 'alg') !== ALGORITHM)
    throw new ErrInvalidToken('The token is not an HS256 token', 'header');
  const typ = member(header, 'typ');
  const type = typeof typ === 'string' ? typ.toLowerCase() : typ;
  if (type !== TOKEN_TYPE && !(isForeign && (type === 'jwt' || type === undefined))) {
    throw new ErrInvalidToken('The token is not of the type at+jwt', 'header');
  }
  if (REFUSED_PARAMETERS.some((name) => Object.hasOwn(header, name))) {
    throw new ErrInvalidToken('The token header holds a parameter that is never accepted', 'header');
  }
  const kid = member(header, 'kid');
  if (kid !== undefined && typeof kid !== 'string') {
    throw new ErrInvalidToken('The token header holds a kid that is not text', 'header');
  }
  return { kid };
}
