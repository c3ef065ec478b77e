import { readFileSync } from 'node:fs';

/** What both header sets say of one body: for people who sign. */
export interface SignatureVector {
  readonly name: string;
  readonly secret: string;
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
  readonly x_webhook_signature: string;
  readonly webhook_signature: string;
}

/** A received callback and what becomes of it: for people who verify. */
export interface CallbackVector {
  readonly name: string;
  readonly scheme: 'standard' | 'x-webhook';
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The recipient's clock, in Unix seconds. */
  readonly now: number;
  /** `null`: the age of the callback does not count. */
  readonly tolerance_seconds: number | null;
  readonly expect: 'accept' | 'refuse';
  /** Why it is refused, as a code of WebhookError; `null` when it is accepted. */
  readonly reason: string | null;
}

/** The file that is published with the package. */
export const SHIPPED: {
  readonly signatures: readonly SignatureVector[];
  readonly callbacks: readonly CallbackVector[];
} = JSON.parse(readFileSync(new URL('../../vectors/signing.json', import.meta.url), 'utf8'));
