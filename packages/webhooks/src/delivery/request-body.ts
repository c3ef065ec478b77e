/**
 * The body of a callback, composed from the stored text of the payload: every attempt and every
 * redelivery signs and sends the same bytes. The event's name is part of what is signed, so that a
 * captured body cannot be passed off as another event.
 *
 * @returns `{"type":<event>,"timestamp":<created_at>,"data":<payload>}`
 */
export function callbackBody(delivery: {
  readonly event: string;
  readonly createdAt: string;
  readonly payload: string;
}): string {
  return `{"type":${JSON.stringify(delivery.event)},"timestamp":${JSON.stringify(delivery.createdAt)},"data":${delivery.payload}}`;
}
