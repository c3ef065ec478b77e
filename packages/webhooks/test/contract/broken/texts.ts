import type { DispatchRecord } from '../../../src/storage/delivery-requests.ts';
import { type BrokenStorage, broken } from './broken-storage.ts';

/** What a column of latin1 keeps of a text. */
function latin1(text: string): string {
  return text.replace(/[^\0-\xff]/gu, '?');
}

/** Dispatches of which some fields go through latin1, where they are written as a group. */
function writtenAs(change: (dispatch: DispatchRecord) => Partial<DispatchRecord>) {
  return (dispatches: readonly DispatchRecord[]): DispatchRecord[] =>
    dispatches.map((dispatch) => (dispatches.length === 1 ? dispatch : { ...dispatch, ...change(dispatch) }));
}

/** Storages that lose characters, each in one place; everything else is `memoryStorage`. */
export const brokenTexts: readonly BrokenStorage[] = [
  broken('loses characters of payloads that come as a group', 'keeps payloads of one group', (sound) => {
    const written = writtenAs(({ payload }) => ({ payload: latin1(payload) }));
    return { recordDispatches: (dispatches) => sound.recordDispatches(written(dispatches)) };
  }),
  broken('loses characters of keys that come as a group', 'tells the keys of one group apart', (sound) => {
    const written = writtenAs(({ idempotencyKey: key }) =>
      key === undefined ? {} : { idempotencyKey: latin1(key) },
    );
    return { recordDispatches: (dispatches) => sound.recordDispatches(written(dispatches)) };
  }),
  broken('loses characters of events', 'keeps the payload and event of a dispatch to many', (sound) => ({
    recordDispatches: (dispatches) =>
      sound.recordDispatches(dispatches.map((one) => ({ ...one, event: latin1(one.event) }))),
  })),
  broken('loses characters of results', 'keeps the results of one group', (sound) => ({
    recordAttempts: (records) =>
      sound.recordAttempts(records.map((one) => ({ ...one, responseBody: latin1(one.responseBody) }))),
  })),
  broken('loses characters of secrets', 'keeps what a webhook says of itself', (sound) => ({
    createWebhook: (webhook) => sound.createWebhook({ ...webhook, secret: latin1(webhook.secret) }),
  })),
];
