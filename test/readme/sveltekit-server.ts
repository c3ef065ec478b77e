/**
 * Serves the page about SvelteKit from the current folder: calls its hooks and its route as
 * SvelteKit's server does.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serve } from '@hono/node-server';

const load = (file: string) => import(pathToFileURL(join(process.cwd(), 'src', file)).href);
const { handle, init } = await load('hooks.server.ts');
const { POST } = await load('routes/api/admin/orders/+server.ts');

await init();

async function answer(request: Request): Promise<Response> {
  const event = { request, url: new URL(request.url), getClientAddress: () => '127.0.0.1' };
  const isOrder = event.url.pathname === '/api/admin/orders' && request.method === 'POST';
  const resolve = async () => (isOrder ? POST(event) : new Response(null, { status: 404 }));
  return handle({ event, resolve });
}

const server = serve({ fetch: answer, port: Number(process.env.PORT), hostname: '127.0.0.1' });
process.once('SIGTERM', () => server.close(() => process.emit('sveltekit:shutdown' as never)));
