import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

/** What one run of the iterations derives. A longer key costs one run for each such block. */
export const BLOCK_BYTES = 32;

const derive = promisify(pbkdf2);

/** Derives a key with PBKDF2-HMAC-SHA256 (RFC 8018 section 5.2) on a thread of libuv's pool. */
export function pbkdf2Sha256(
  password: Buffer,
  salt: Buffer,
  iterations: number,
  keyBytes: number,
): Promise<Buffer> {
  return derive(password, salt, iterations, keyBytes, 'sha256');
}
