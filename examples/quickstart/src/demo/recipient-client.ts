import { z } from 'zod';
import type { Answer } from '../recipient/answers.ts';
import type { Arrival } from '../recipient/inbox.ts';

/** The hook of the webhook that the demo seeds. */
export const DEMO_HOOK = 'shop';

/** What the page asks of the recipient, which runs in another process. */
export interface RecipientClient {
  /** Returns what has arrived, oldest first. */
  received(): Promise<readonly Arrival[]>;
  /** Returns the answer that {@link DEMO_HOOK} was told to give. */
  answer(): Promise<Answer | undefined>;
  /** Sets that answer; undefined makes the hook accept again. */
  setAnswer(answer: Answer | undefined): Promise<void>;
  /** Gives the recipient the secret of a hook. Default: {@link DEMO_HOOK}. */
  addSecret(secret: string, hook?: string): Promise<void>;
}

const TIMEOUT_MS = 3_000;

const receivedBody = z.object({
  received: z.array(
    z.object({
      number: z.int(),
      at: z.iso.datetime(),
      hook: z.string(),
      signature: z.string(),
      status: z.int().nullable(),
      isRepeat: z.boolean(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
});

const answerBody = z.object({
  answer: z.object({ status: z.int(), delaySeconds: z.int().optional() }).nullable(),
});

/** Each call takes at most 3 s, and rejects if the recipient does not answer. */
export function createRecipientClient(recipientUrl: string): RecipientClient {
  const answerPath = `/answers/${DEMO_HOOK}`;

  async function call(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(new URL(path, recipientUrl), {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The recipient answered ${response.status} to ${method} ${path}`);
    return response;
  }

  return {
    received: async () => receivedBody.parse(await (await call('GET', '/received.json')).json()).received,
    answer: async () => answerBody.parse(await (await call('GET', answerPath)).json()).answer ?? undefined,
    async setAnswer(answer) {
      if (answer === undefined) await call('DELETE', answerPath);
      else await call('PUT', answerPath, { status: answer.status, delay_seconds: answer.delaySeconds });
    },
    async addSecret(secret, hook = DEMO_HOOK) {
      await call('POST', `/secrets/${encodeURIComponent(hook)}`, { secret });
    },
  };
}
