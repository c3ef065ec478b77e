import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { HASH_BYTES } from './password-hash-text.ts';

const derive = promisify(pbkdf2);

/** Derives 32 bytes with PBKDF2-HMAC-SHA256 (RFC 8018 section 5.2) on a thread of libuv's pool. */
export function pbkdf2Sha256(password: Buffer, salt: Buffer, iterations: number): Promise<Buffer> {
  return derive(password, salt, iterations, HASH_BYTES, 'sha256');
}
