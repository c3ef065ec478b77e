import type { NewWebhook } from '../../src/storage/webhook-requests.ts';

/** A webhook that is subscribed to every event. */
export const NEW_WEBHOOK: NewWebhook = {
  url: 'https://a.example/',
  secret: 's',
  description: '',
  events: ['*'],
  isActive: true,
  createdBy: 0,
  createdAt: '2026-11-20T04:10:00.123Z',
};

/** A dispatch that every such webhook receives. */
export const DISPATCH = {
  event: 'order.paid',
  payload: '{}',
  createdAt: NEW_WEBHOOK.createdAt,
  target: { patterns: ['*'] },
};
