import { webhookDialogTexts } from './webhook-texts.ts';

const LIBRARY = `import { isWebhookError, verify } from '@acme/webhooks/signing';

// body: the raw bytes of the request, before any JSON parser.
export async function receive(headers, body) {
  try {
    const event = await verify({ secret: process.env.WEBHOOK_SECRET, headers, body });
    // Process each event.id once, then answer 2xx within 15 seconds.
    console.log(event.id, event.type, event.data);
    return 204;
  } catch (error) {
    return isWebhookError(error) ? 401 : 500;
  }
}
`;

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// headers: with lower-case names. body: the raw bytes of the request, before any JSON parser.
export function isGenuine(headers, body, secret) {
  if (!secret) throw new Error('The secret is not set');
  const expected = createHmac('sha256', secret)
    .update(\`\${headers['x-webhook-id']}.\${headers['x-webhook-timestamp']}.\`)
    .update(body)
    .digest();
  // After a rotation, the old secret signs the second header for 24 hours.
  return ['x-webhook-signature', 'x-webhook-signature-previous'].some((name) => {
    const given = Buffer.from(String(headers[name] ?? ''), 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;

const PYTHON = `import hashlib
import hmac


# headers: with lower-case names. body: the raw bytes of the request, before any JSON parser.
def is_genuine(headers, body: bytes, secret: str) -> bool:
    if not secret:
        raise ValueError("The secret is not set")
    signed = f"{headers['x-webhook-id']}.{headers['x-webhook-timestamp']}.".encode() + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    # After a rotation, the old secret signs the second header for 24 hours.
    names = ("x-webhook-signature", "x-webhook-signature-previous")
    return any(hmac.compare_digest(headers.get(name, "").encode(), expected.encode()) for name in names)
`;

/** Verification code for recipients. The tests run it against real deliveries. */
export const VERIFICATION_CODE = [
  { name: 'Node.js', code: LIBRARY },
  { name: webhookDialogTexts.withoutLibrary, code: NODE },
  { name: 'Python', code: PYTHON },
] as const;
