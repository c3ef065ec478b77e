/** 32 hexadecimal digits, also with the hyphens of a UUID, between characters that are none. */
const DELIVERY_ID = /(?<![\da-f])[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}(?![\da-f])/i;

/**
 * The id of a delivery in a text that somebody has pasted, such as `X-Webhook-ID: "5f0c…"`; null if
 * there is none.
 */
export function deliveryIdOf(text: string): string | null {
  return DELIVERY_ID.exec(text)?.[0].replaceAll('-', '').toLowerCase() ?? null;
}
