import type { SignedRequest } from '../scheme-check.ts';

/** Headers of schemes that are not this package's, and whose they are. */
const OTHERS: Readonly<Record<string, string>> = {
  'linear-signature': 'Linear',
  'paypal-transmission-sig': 'PayPal',
  'stripe-signature': 'Stripe',
  'x-gitlab-token': 'GitLab',
  'x-hub-signature': 'GitHub and WebSub',
  'x-hub-signature-256': 'GitHub and WebSub',
  'x-shopify-hmac-sha256': 'Shopify',
  'x-signature-ed25519': 'Discord',
  'x-slack-signature': 'Slack',
  'x-square-hmacsha256-signature': 'Square',
  'x-twilio-signature': 'Twilio',
};

/** Says whose scheme a request has that has neither set of headers. */
export function otherScheme({ headers }: SignedRequest): string {
  const found = Object.keys(headers).find((name) => Object.hasOwn(OTHERS, name));
  if (found === undefined) {
    return 'There is no webhook-* and no X-Webhook-* header. A proxy dropped them, or this is no webhook.';
  }
  return `The header ${found} is that of ${OTHERS[found]}: it is signed in another way, with another secret.`;
}

/**
 * Renames the headers of Svix, which signs as Standard Webhooks does.
 *
 * @returns nothing if there are none
 */
export function withoutSvixNames(request: SignedRequest): SignedRequest | undefined {
  if (request.headers['svix-signature'] === undefined) return undefined;
  const entries = Object.entries(request.headers).map(([name, values]) => {
    return [name.replace(/^svix-/, 'webhook-'), values] as const;
  });
  return { ...request, headers: Object.fromEntries(entries) };
}
