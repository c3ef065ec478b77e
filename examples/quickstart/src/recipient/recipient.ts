import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isWebhookError, verify } from '@acme/webhooks/signing';
import express, { type Express, type Request } from 'express';
import { createAnswers, readAnswer } from './answers.ts';
import { createInbox } from './inbox.ts';
import { createSecrets } from './secrets.ts';
import { createTally } from './tally.ts';

const MAX_DONE = 10_000;

/**
 * An application that receives webhooks. It verifies each request, and does each delivery once.
 */
export function createRecipient(): Express {
  const inbox = createInbox();
  const answers = createAnswers();
  const secrets = createSecrets();
  const done = new Set<string>();
  const tally = createTally();
  const app = express().disable('x-powered-by');

  // The signature covers the bytes as they were sent. Read them raw, before any JSON parser.
  app.post('/hooks/:hook', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
    const { hook } = request.params;
    const body: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const { signature, deliveryId } = await judge(request, secrets.of(hook), body);
    const answer = deliveryId === undefined ? { status: 401 } : answers.next(hook, deliveryId);

    // A delivery may arrive twice: our answer was lost, or its sender died before recording it.
    const isRepeat = deliveryId !== undefined && done.has(deliveryId);
    if (deliveryId !== undefined && isSuccess(answer.status) && !isRepeat) {
      // The work is done here. A real recipient records the id in the same transaction as the work.
      if (done.size >= MAX_DONE) done.clear();
      done.add(deliveryId);
    }
    if (deliveryId !== undefined && isSuccess(answer.status)) {
      if (isRepeat) tally.recognised(hook);
      else tally.worked(hook, deliveryId);
    }
    const headers = webhookHeaders(request.headers);
    const { number } = inbox.add({ hook, signature, isRepeat, headers, body: body.toString() });
    if (answer.delaySeconds !== undefined) await sleep(answer.delaySeconds * 1_000);
    inbox.answered(number, answer.status);
    if (answer.status === 0) return void request.socket.destroy();
    if (answer.retryAfterSeconds !== undefined) response.set('Retry-After', String(answer.retryAfterSeconds));
    response.status(answer.status).json({ signature });
  });

  // The rest is for the demo: it gives the recipient its secrets, sets its answers, and tells what
  // arrived.
  app.post('/secrets/:hook', express.json(), (request, response) => {
    const secret: unknown = request.body?.secret;
    response.status(secrets.add(request.params.hook, secret) ? 204 : 422).end();
  });
  app.put('/answers/:hook', express.json(), (request, response) => {
    const answer = readAnswer(request.body);
    if (answer !== undefined) answers.set(request.params.hook, answer);
    response.status(answer === undefined ? 422 : 204).end();
  });
  app.delete('/answers/:hook', (request, response) => {
    answers.set(request.params.hook, undefined);
    response.status(204).end();
  });
  app.get('/answers/:hook', (request, response) => {
    response.json({ answer: answers.chosen(request.params.hook) ?? null });
  });
  app.get('/', (_request, response) => {
    response.type('text/plain').send('The recipient runs. /received.json lists what has arrived.\n');
  });
  app.get('/received.json', (_request, response) => {
    response.json({ received: inbox.list() });
  });
  app.get('/tally.json', (_request, response) => {
    response.json(tally.read());
  });
  return app;
}

/**
 * Verifies a callback with the Standard Webhooks headers, or with the X-Webhook headers if the URL
 * has `?scheme=x-webhook`.
 */
async function judge(
  request: Request,
  secrets: readonly string[],
  body: Buffer,
): Promise<{ readonly signature: string; readonly deliveryId: string | undefined }> {
  if (secrets.length === 0) return { signature: 'no secret known for this hook', deliveryId: undefined };
  const scheme = request.query.scheme === 'x-webhook' ? 'x-webhook' : 'standard';
  try {
    const event = await verify({ secrets, scheme, headers: request.headers, body });
    return { signature: 'verified', deliveryId: event.id };
  } catch (error) {
    if (!isWebhookError(error)) throw error;
    return { signature: error.code, deliveryId: undefined };
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function webhookHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) =>
    /^(x-webhook-|webhook-|content-type$|user-agent$)/.test(name),
  );
  return Object.fromEntries(shown.map(([name, value]) => [name, String(value)]));
}
