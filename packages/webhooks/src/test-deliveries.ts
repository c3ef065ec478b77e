/** Where an id has its version and its variant (RFC 9562, section 5.7, without hyphens). */
const VERSION_DIGIT = 12;
const VARIANT_DIGIT = 16;

/** The variant in the ids of tests, 8 in others: RFC 9562 leaves two of its bits free. */
export const TEST_VARIANT = '9';

/** What the id of every test is LIKE, in SQL. */
export const TEST_DELIVERY_PATTERN: string = `${'_'.repeat(VERSION_DIGIT)}7___${TEST_VARIANT}%`;

/**
 * Tells by its id whether a delivery is a test that an administrator sent, with any event and any
 * payload that fits. The id is signed, unlike `X-Webhook-Test`. Only ids of this engine tell.
 */
export function isTestDelivery(deliveryId: string): boolean {
  return deliveryId[VERSION_DIGIT] === '7' && deliveryId[VARIANT_DIGIT] === TEST_VARIANT;
}
