// Signs and verifies every published vector, with headers in each shape and bodies as text and as bytes.

import { defineEvents, matchesPattern } from '@acme/webhooks/events';
import { generateSecret, isWebhookError, sign, verify } from '@acme/webhooks/signing';

/** @returns the vectors that came out otherwise than they say */
export async function judge({ signatures, callbacks }) {
  const wrong = [];
  for (const { name, x_webhook_signature, webhook_signature, ...input } of signatures) {
    if ((await sign(input)) !== x_webhook_signature) wrong.push(name);
  }
  for (const { name, headers, body, reason, ...vector } of callbacks) {
    for (const shape of [headers, inLowerCase(headers), new Headers(headers)]) {
      for (const raw of [body, new TextEncoder().encode(body)]) {
        const outcome = await outcomeOf({ ...vector, headers: shape, body: raw });
        if (outcome !== reason) wrong.push(`${name}: ${outcome}`);
      }
    }
  }
  if (generateSecret().length !== 38) wrong.push('generateSecret');
  if (!matchesPattern('order.*', 'order.created')) wrong.push('matchesPattern');
  if (!('order.created' in defineEvents({ 'order.created': { label: 'Order' } }))) wrong.push('defineEvents');
  return { wrong, vectors: signatures.length + callbacks.length };
}

function inLowerCase(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function outcomeOf({ secrets, headers, body, scheme, now, tolerance_seconds }) {
  const tolerance = tolerance_seconds === null ? {} : { toleranceSeconds: tolerance_seconds };
  try {
    await verify({ secrets, headers, body, scheme, now: () => now * 1000, ...tolerance });
    return null;
  } catch (error) {
    if (isWebhookError(error)) return error.code;
    return error instanceof TypeError ? 'secret_unusable' : String(error);
  }
}
