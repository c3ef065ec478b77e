import type { Session } from '../session.ts';

export interface RefreshTokenUse {
  readonly tokenHash: string;
  readonly instance: string;
  readonly now: number;
  /** The age, counted from a token's first use, at which it gets a successor. */
  readonly rotateEverySeconds: number;
  /** How long a token is still accepted after its successor was first presented. */
  readonly reuseGraceSeconds: number;
  /** The precision of a session's last use. */
  readonly recordUseEverySeconds: number;
  /** 32 random hex characters, used if this call rotates. */
  readonly salt: string;
  /**
   * The key that `successorHash` derives with, stored if this call rotates. 1–64 characters of
   * ASCII.
   */
  readonly keyId: string;
  /** The id of the successor's row, used if this call rotates. */
  readonly nextId: string;
  /** Returns the hash of the successor that a salt derives. Pure and synchronous. */
  successorHash(salt: string): string;
}

export type RefreshTokenOutcome =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'expired' }
  | {
      readonly outcome: 'revoked';
      readonly session: Session;
      readonly revokedAt: number;
      /** True if it was revoked with the reason `login`: its browser has a newer session. */
      readonly isReplaced: boolean;
    }
  /** The token was presented after its successor, and this call has revoked the session. */
  | { readonly outcome: 'reused'; readonly session: Session }
  /** The token is valid and not due for rotation. */
  | { readonly outcome: 'current'; readonly session: Session }
  /**
   * The token is valid and has a successor, which the salt and the key derive. Every client that
   * presents the token gets the same successor.
   */
  | {
      readonly outcome: 'rotated';
      readonly session: Session;
      readonly rotatedAt: number;
      readonly successorSalt: string;
      readonly successorKeyId: string;
    };
