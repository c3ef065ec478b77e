// signing.mjs and the browser script of @acme/auth in workerd; prints what passed.
import { readReturnTo, startStatusPoll } from '@acme/auth/client';
import vectors from '@acme/webhooks/vectors/signing.json';
import { judge } from './signing.mjs';

export default {
  async test() {
    if (typeof process !== 'undefined' || typeof Buffer !== 'undefined') throw new Error('Node is here');
    const { wrong } = await judge(vectors);
    if (wrong.length > 0) throw new Error(wrong.join('; '));
    console.log('signing and events');
    const returnTo = ['/back', '//a.example.com'].map((path) => readReturnTo('/', `?return_to=${path}`));
    if (returnTo.join() !== '/back,/') throw new Error(`readReturnTo: ${returnTo}`);
    if (typeof startStatusPoll !== 'function') throw new Error('startStatusPoll');
    console.log('client');
  },
};
