import { isWebhookError, verify } from '@acme/webhooks/signing';

/** Returns the event of a genuine request, and undefined for any other one. */
export const receiveWithSigning = (secret) => async (headers, body) => {
  try {
    return await verify({ secret, headers, body });
  } catch (error) {
    if (!isWebhookError(error)) throw error;
    console.log(`/signing refused: ${error.code}`);
    return undefined;
  }
};
