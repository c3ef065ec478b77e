/** Builds, which is a step of the release elsewhere, and serves what was built. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

process.env.NODE_ENV = 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
const dir = fileURLToPath(new URL('.', import.meta.url));
const command = fileURLToPath(import.meta.resolve('next/dist/bin/next'));
const { status } = spawnSync(process.execPath, [command, 'build'], { cwd: dir, stdio: 'inherit' });
if (status !== 0) process.exit(1);

// `next start` exits at SIGTERM without waiting for the engine. This server closes in order:
// a request under way may still dispatch.
const { default: next } = await import('next');
const { sessions } = await import('./lib/auth.js');
const { webhooks } = await import('./lib/webhooks.js');
const { PORT: port = '3000' } = process.env;
const app = next({ dir, hostname: '127.0.0.1', port: Number(port) });
await app.prepare();
const server = createServer(app.getRequestHandler());
server.listen(Number(port), '127.0.0.1', () => console.log(`Listening on ${port}`));
process.once('SIGTERM', () => {
  server.close(async () => {
    await webhooks.close();
    await sessions.idle();
    await app.close();
  });
  setTimeout(() => server.closeAllConnections(), 4_000).unref(); // those that never end
});
