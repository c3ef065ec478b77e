import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { verify } from '../../src/signing/verify.ts';

/** What a tenant's texts have in them, and nobody else's. The host's is that of ''. */
export function markOf(tenant: string): string {
  return `~${tenant}~`;
}

/** A request as a recipient took it. */
interface Taken {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The recipients of all webhooks on loopback: one server, a path for each webhook. */
export interface TenantRecipients {
  /** The URL of a tenant's next webhook. */
  urlFor(tenant: string): string;
  /** By path the requests so far, the failed attempts included. */
  requestsTo(path: string): number;
  /** Every request, which must be signed with its webhook's secret and be for its tenant. */
  check(
    secrets: ReadonlyMap<string, { readonly tenant: string; readonly secret: string }>,
  ): Promise<{ requests: number; accepted: ReadonlyMap<string, number[]>; crossings: string[] }>;
  close(): Promise<void>;
}

/** How long an answer takes: deliveries are under way while a tenant is removed. */
const ANSWER_AFTER_MS = 5;

/** Answers one in four first attempts with 503, and each with a text of its tenant's. */
export async function startTenantRecipients(): Promise<TenantRecipients> {
  const taken: Taken[] = [];
  const counts = new Map<string, number>();
  let webhooks = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      counts.set(path, (counts.get(path) ?? 0) + 1);
      const isFirst = headers['x-webhook-attempt'] === '1';
      const isRefused = isFirst && /[048c]$/.test(String(headers['x-webhook-id']));
      if (!isRefused) taken.push({ path, headers, body: Buffer.concat(chunks).toString() });
      const answer = `answer of ${decodeURIComponent(path)}`;
      setTimeout(() => response.writeHead(isRefused ? 503 : 200).end(answer), ANSWER_AFTER_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the recipients have no port');
  return {
    urlFor: (tenant) => `http://127.0.0.1:${address.port}/${markOf(tenant)}/${++webhooks}`,
    requestsTo: (path) => counts.get(path) ?? 0,
    async check(secrets) {
      const accepted = new Map<string, number[]>();
      const crossings: string[] = [];
      for (const { path, headers, body } of taken) {
        const { tenant = '?', secret = '' } = secrets.get(path) ?? {};
        const event = await verify({ secret, headers, body, toleranceSeconds: 3_600 }).catch(() => undefined);
        if (event === undefined) crossings.push(`${path} got a request with another's signature`);
        const { data } = JSON.parse(body) as { data: { tenant?: string; n?: number } };
        if (data.n === undefined) continue;
        if (tenant !== '' && data.tenant !== tenant) crossings.push(`${path} got an event of ${data.tenant}`);
        accepted.set(path, [...(accepted.get(path) ?? []), data.n]);
      }
      return { requests: [...counts.values()].reduce((sum, one) => sum + one, 0), accepted, crossings };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
