import { createDeliveryHeaders } from '../../src/signing/delivery-headers.ts';
import { generateSecret, isWebhookError, verify } from '../../src/signing/index.ts';
import type { VerifyInput } from '../../src/signing/verify.ts';

export const SECRET = generateSecret();
export const BODY = '{"type":"user.created","timestamp":"2026-11-20T04:10:00.123Z","data":{"name":"Zoë"}}';
export const ID = '0123456789abcdef0123456789abcdef';
export const CREATED = 1_795_147_800;
export const ATTEMPTED = CREATED + 3000;
export const EVENT = { id: ID, isTest: false, ...JSON.parse(BODY) };

export const atAttempt = (): number => ATTEMPTED * 1000;

/** The headers of a second attempt, as the engine sends them. */
export function received(body = BODY, overrides: Record<string, string> = {}): Record<string, string> {
  const headers = createDeliveryHeaders({
    secret: SECRET,
    deliveryId: ID,
    event: 'user.created',
    createdAtSeconds: CREATED,
    attemptAtSeconds: ATTEMPTED,
    attempt: 2,
    body,
    standardHeaders: true,
    userAgent: 'test',
  });
  return { ...headers, ...overrides };
}

/** Verifies the callback, or another with something changed. */
export const call = (input: Partial<VerifyInput> = {}): Promise<unknown> =>
  verify({ secret: SECRET, headers: received(), body: BODY, now: atAttempt, ...input });

/** The code with which `verify` refuses. */
export async function refusal(input: Partial<VerifyInput>): Promise<string> {
  const error = await call(input).catch((thrown: unknown) => thrown);
  if (!isWebhookError(error)) throw new Error(`not refused: ${String(error)}`);
  return error.code;
}
