import { z } from 'zod';
import type { Answer } from '../recipient/answers.ts';
import type { Arrival } from '../recipient/inbox.ts';
import type { HookTally } from '../recipient/tally.ts';

/** The hook of the webhook that the demo seeds. */
export const DEMO_HOOK = 'shop';

/** What the page asks of the recipient, which runs in another process. */
export interface RecipientClient {
  /** Returns what has arrived, oldest first. */
  received(): Promise<readonly Arrival[]>;
  /** Returns what each hook has done, by its own count. */
  tally(): Promise<Readonly<Record<string, HookTally>>>;
  /** Returns the answer that a hook was told to give. Default: {@link DEMO_HOOK}. */
  answer(hook?: string): Promise<Answer | undefined>;
  /** Sets that answer; undefined makes the hook accept again. */
  setAnswer(answer: Answer | undefined, hook?: string): Promise<void>;
  /** Gives the recipient the secret of a hook. Default: {@link DEMO_HOOK}. */
  addSecret(secret: string, hook?: string): Promise<void>;
}

const TIMEOUT_MS = 3_000;

const tallyBody = z.record(z.string(), z.object({ done: z.int(), twice: z.int(), repeated: z.int() }));

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
  const answerPath = (hook: string) => `/answers/${encodeURIComponent(hook)}`;

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
    tally: async () => tallyBody.parse(await (await call('GET', '/tally.json')).json()),
    async answer(hook = DEMO_HOOK) {
      return answerBody.parse(await (await call('GET', answerPath(hook))).json()).answer ?? undefined;
    },
    async setAnswer(answer, hook = DEMO_HOOK) {
      if (answer === undefined) await call('DELETE', answerPath(hook));
      else await call('PUT', answerPath(hook), { status: answer.status, delay_seconds: answer.delaySeconds });
    },
    async addSecret(secret, hook = DEMO_HOOK) {
      await call('POST', `/secrets/${encodeURIComponent(hook)}`, { secret });
    },
  };
}
