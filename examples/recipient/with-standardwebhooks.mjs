import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/** The same with the library of Standard Webhooks, which exists in other languages as well. */
export const receiveWithStandardWebhooks = (secret) => {
  const webhook = new Webhook(secret);
  return async (headers, body) => {
    try {
      const { type, data } = webhook.verify(body, headers);
      return { id: headers['webhook-id'], type, data };
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      console.log(`/standardwebhooks refused: ${error.message}`);
      return undefined;
    }
  };
};
