import { describe, expect, it } from 'vitest';
import { mountSessions } from '../../src/fetch/mount-sessions.ts';

describe('mountSessions', () => {
  it('refuses an option that does not exist', () => {
    const misspelt = { clientIP: () => '192.0.2.1' } as object;
    expect(() => mountSessions(async () => new Response(), misspelt)).toThrow(
      'mountSessions: unknown option "clientIP"',
    );
  });

  it('hands every other path to the application, arguments and all', async () => {
    const sessions = { handler: async () => new Response('sessions'), basePath: '/auth' };
    const app = mountSessions(sessions)((_request, env: { name: string }) => new Response(env.name));
    const ask = async (path: string) =>
      await (await app(new Request(`http://localhost${path}`), { name: 'app' })).text();
    expect([await ask('/auth/login'), await ask('/auth'), await ask('/authx')]).toEqual([
      'sessions',
      'sessions',
      'app',
    ]);
  });
});
