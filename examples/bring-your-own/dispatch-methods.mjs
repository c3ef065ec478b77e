import { randomUUID } from 'node:crypto';
import { WebhookError } from '@acme/webhooks';
import { deliveryIdOf } from '@acme/webhooks/storage';

/** The method that writes dispatches. */
export function dispatchMethods(db) {
  const selectKey = db.prepare(
    'select dispatch_id as id from idempotency_keys where tenant = ? and event = ? and key = ?',
  );
  const insertKey = db.prepare('insert into idempotency_keys values (?, ?, ?, ?, ?)');
  const selectWritten = db.prepare(
    'select delivery_id as deliveryId from deliveries where delivery_id between ? and ? order by id',
  );
  const selectRecipients = db.prepare(`select id from webhooks where is_active and (id = @webhookId
      or tenant in (select value from json_each(@tenants)) and exists (select * from json_each(state, '$.webhook.events')
        where value in (select value from json_each(@patterns))))
    order by id`);
  const insertDelivery = db.prepare(`insert into deliveries
    (webhook_id, delivery_id, event, payload, created_at, due_ms, priority_ms)
    values (?, ?, ?, ?, ?, ?, ?)`);

  /** Once: an id that was written before names the same dispatch. */
  function recordDispatch({
    event,
    tenant = '',
    payload,
    createdAt,
    target,
    idempotencyKey,
    id = dispatchId(),
  }) {
    const [first] =
      idempotencyKey === undefined ? [] : selectKey.all(tenant, event, idempotencyKey);
    if (first !== undefined && first.id !== id) return { outcome: 'repeated', deliveryIds: [] };
    const prefix = id.slice(0, 24);
    const written = selectWritten.all(`${prefix}00000000`, `${prefix}ffffffff`);
    if (first !== undefined || written.length > 0) {
      return { outcome: 'written', deliveryIds: written.map(({ deliveryId }) => deliveryId) };
    }
    if (idempotencyKey !== undefined) insertKey.run(tenant, event, idempotencyKey, id, createdAt);
    const { webhookId = null, patterns = [], tenants = [''] } = target;
    const recipients = selectRecipients.all({
      webhookId,
      patterns: JSON.stringify(patterns),
      tenants: JSON.stringify(tenants),
    });
    const dueMs = Date.parse(createdAt);
    const deliveryIds = recipients.map((webhook) => {
      const deliveryId = deliveryIdOf(id, webhook.id);
      insertDelivery.run(webhook.id, deliveryId, event, payload, createdAt, dueMs, dueMs);
      return deliveryId;
    });
    return { outcome: 'written', deliveryIds };
  }

  return {
    recordDispatches(dispatches, transaction) {
      if (transaction === undefined) return dispatches.map(recordDispatch);
      throw new WebhookError(
        'invalid_options',
        'This storage takes no transaction of the application',
      );
    },
  };
}

/** The engine gives each dispatch an id. This one is for other callers: version 4 is no test's. */
function dispatchId() {
  return `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, 40);
}
