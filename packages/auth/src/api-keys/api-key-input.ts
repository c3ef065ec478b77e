import { isPlainLine } from '../../../toolkit/src/plain-line.ts';
import { isScopeList, isUnixTime, MAX_SCOPE_LENGTH, MAX_SCOPES } from '../claims.ts';
import { AuthError } from '../errors.ts';
import type { ApiKey } from './api-key-store.ts';

const MAX_NAME_LENGTH = 128;

/** The owner's choices for a new key. They may come from a request's body as it is. */
export interface ApiKeyInput {
  /**
   * 1–128 characters without control characters, line separators or bidirectional controls; it need
   * not be unique.
   */
  readonly name: string;
  /** A subset of the owner's scopes. Default none. */
  readonly scopes?: readonly string[] | undefined;
  /** Unix seconds, in the future. Default `null`: it does not expire. */
  readonly expiresAt?: number | null | undefined;
  /** `expiresAt`, as JSON spells it: one of the two. */
  readonly expires_at?: number | null | undefined;
}

const FIELDS: ReadonlySet<string> = new Set<keyof ApiKeyInput>(['name', 'scopes', 'expiresAt', 'expires_at']);

/**
 * Validates a client's choices, and returns them with the defaults filled in.
 *
 * An unknown field is refused rather than ignored, because a client that sends `uid` expects it to
 * count.
 *
 * @throws AuthError `input_invalid`
 */
export function readApiKeyInput(input: unknown, now: number): Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid('An API key is described by an object');
  }
  if (Object.keys(input).some((field) => !FIELDS.has(field))) {
    throw invalid('An API key is described by name, scopes and expires_at alone');
  }
  const fields: Partial<Record<keyof ApiKeyInput, unknown>> = { ...input };
  if (fields.expiresAt !== undefined && fields.expires_at !== undefined) {
    throw invalid('expires_at and expiresAt are two spellings of one field');
  }
  const { name, scopes = [], expiresAt = fields.expires_at ?? null } = fields;
  if (!isName(name)) {
    throw invalid(
      `name must be text of 1 to ${MAX_NAME_LENGTH} characters without control characters, line separators or bidirectional controls`,
    );
  }
  if (!isScopeList(scopes)) {
    throw invalid(`scopes must be at most ${MAX_SCOPES} texts of 1 to ${MAX_SCOPE_LENGTH} characters`);
  }
  if (expiresAt !== null && !(isUnixTime(expiresAt) && expiresAt > now)) {
    throw invalid('expires_at must be whole Unix seconds in the future, or null');
  }
  return { name, scopes: [...new Set(scopes)], expiresAt };
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length < 1 || value.length > MAX_NAME_LENGTH) return false;
  return isPlainLine(value);
}

function invalid(message: string): AuthError {
  return new AuthError('input_invalid', message);
}
