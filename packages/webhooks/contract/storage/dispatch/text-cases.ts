import assert from 'node:assert/strict';
import { RESULT_RULES } from '../../../src/storage/result-rules.ts';
import { type HarnessCases, isRecorded, only, present } from '../contract-harness.ts';

/**
 * Characters of every length in UTF-8 and of every plane that has any; the single ones differ in
 * nothing but themselves.
 */
const EVERY_PLANE: readonly string[] = Object.freeze([
  'ASCII',
  'é',
  'ÿ',
  'Ω',
  '日',
  '本',
  '語',
  '\ufffd',
  '\uffff',
  '😀',
  '😁',
  '\u{20bb7}',
  '\u{2f81a}',
  '\u{30000}',
  '\u{e0041}',
  '\u{e01ef}',
  '\u{f0000}',
  '\u{10fffd}',
  'é 日本 😀 \u{20bb7} \u{e01ef} \u{10fffd}',
]);

/** Texts of every script, written and read together as they are in the course of a delivery. */
export const textCases: HarnessCases = {
  async 'keeps payloads of one group exactly, with characters of every plane'(harness) {
    const { id } = await harness.createWebhook();
    const payloads = EVERY_PLANE.map((text) => JSON.stringify({ [text]: text }));
    const receipts = await harness.storage.recordDispatches(
      payloads.map((payload) => harness.dispatchRecord({ payload })),
    );
    for (const [i, { deliveryIds }] of receipts.entries()) {
      assert.equal((await harness.delivery(id, only(deliveryIds))).payload, payloads[i]);
    }
    const claims = await harness.claim();
    assert.deepEqual(
      claims.map(({ payload }) => payload),
      payloads,
    );
  },
  async 'keeps the payload and event of a dispatch to many webhooks exactly, with characters of every plane'(
    harness,
  ) {
    for (let i = 0; i < 9; i++) await harness.createWebhook();
    const event = EVERY_PLANE.join('');
    const payload = JSON.stringify(EVERY_PLANE);
    await harness.dispatch({ event, payload });
    const claims = await harness.claim();
    assert.deepEqual(
      claims.map((claim) => [claim.event, claim.payload]),
      Array.from({ length: 9 }, () => [event, payload]),
    );
    for (const { webhook } of claims) {
      const search = { webhookId: webhook.id, event, limit: 2, maxScanned: 100 };
      const { deliveries: found } = await harness.storage.findDeliveries(search);
      assert.equal(only(found).event, event);
    }
  },
  async 'tells the keys of one group apart, with characters of every plane'(harness) {
    const { id } = await harness.createWebhook();
    const keyed = EVERY_PLANE.map((idempotencyKey) => harness.dispatchRecord({ idempotencyKey }));
    for (const expected of [false, true]) {
      const receipts = await harness.storage.recordDispatches(keyed);
      assert.deepEqual(
        receipts.map(({ outcome }) => outcome === 'repeated'),
        EVERY_PLANE.map(() => expected),
      );
    }
    assert.equal((await harness.history(id)).length, EVERY_PLANE.length);
  },
  async 'keeps the results of one group exactly, with characters of every plane'(harness) {
    const { id } = await harness.createWebhook();
    await harness.storage.recordDispatches(EVERY_PLANE.map(() => harness.dispatchRecord()));
    const results = (await harness.claim()).map((claim, i) => {
      const text = present(EVERY_PLANE[i]);
      const attemptLog = [{ ...harness.logEntry(1), error: text, responseBody: text }];
      return harness.result(claim, { status: 'failed', error: text, responseBody: text, attemptLog });
    });
    const receipts = await harness.storage.recordAttempts(results, RESULT_RULES);
    assert.ok(receipts.every(isRecorded));
    const ended = await harness.wholeHistory(id);
    for (const { id: deliveryId, responseBody, error, attemptLog } of results) {
      const summary = present(ended.find((delivery) => delivery.id === deliveryId));
      assert.deepEqual([summary.responseBody, summary.error], [responseBody, error]);
      assert.deepEqual((await harness.delivery(id, summary.deliveryId)).attemptLog, attemptLog);
    }
  },
  async 'keeps what a webhook says of itself exactly, and finds it by that, with characters of every plane'(
    harness,
  ) {
    for (const text of EVERY_PLANE) {
      const fields = { url: `https://a.example/${text}`, description: `<${text}>`, events: [text] };
      const { id } = await harness.createWebhook({ ...fields, secret: text });
      const found = present(await harness.storage.findWebhook(id));
      assert.deepEqual([found.url, found.description, found.events], Object.values(fields));
      await harness.dispatch({ target: { patterns: [text] } });
      assert.equal((await harness.claimOnly()).webhook.secret, text);
      assert.deepEqual(await harness.listIds({ search: `<${text}>` }), [id]);
    }
  },
};
