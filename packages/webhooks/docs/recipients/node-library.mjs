// npm install @acme/webhooks
import { isWebhookError, verify } from '@acme/webhooks/signing';

// headers: with lower-case names. body: the raw bytes of the request, before any JSON parser.
export async function isGenuine(headers, body, secret) {
  try {
    await verify({ secret, headers, body });
    return true;
  } catch (error) {
    if (isWebhookError(error)) return false;
    throw error;
  }
}
