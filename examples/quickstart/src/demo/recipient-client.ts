import { z } from 'zod';

/** The recipients of the demo: paths of one process, each with a webhook. */
export const RECIPIENTS = ['Warehouse', 'Accounting', 'Newsletter'] as const;

/** How a recipient is, by its own count. */
export type RecipientState = z.output<typeof recipientState>;

const recipientState = z.object({
  isDown: z.boolean(),
  arrived: z.int(),
  twice: z.int(),
  repeated: z.int(),
  orders: z.array(z.int()),
});
const states = z.record(z.string(), recipientState);

const TIMEOUT_MS = 3_000;

/** What the demo asks of the recipients, which run in another process. */
export interface RecipientClient {
  urlOf(name: string): string;
  /** @throws if they do not answer within 3 s */
  states(): Promise<Readonly<Record<string, RecipientState>>>;
  /** Gives one its secret, or takes it down. */
  change(name: string, change: { readonly secret?: string; readonly isDown?: boolean }): Promise<void>;
}

export function createRecipientClient(url: string): RecipientClient {
  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${url}/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
    if (!response.ok) throw new Error(`The recipients answered ${response.status}`);
    return response;
  }
  return {
    urlOf: (name) => `${url}/${name}`,
    states: async () => states.parse(await (await call('')).json()),
    async change(name, change) {
      const headers = { 'content-type': 'application/json' };
      await call(name, { method: 'PATCH', headers, body: JSON.stringify(change) });
    },
  };
}
