import { createAuth } from '@acme/auth';
import type { ChapterParts } from './chapter.ts';
import type { DemoUnderCheck } from './demo-under-check.ts';
import { expectEqual } from './expectation.ts';

const REGISTRATION = '/api/auth/register';
const QUARTER_SECONDS = 900;

/** What deserves a recent log-in. */
export async function checkStepUp({ step, demo, admin }: ChapterParts): Promise<void> {
  await step('A user is deleted only within 15 minutes of a log-in', async (say) => {
    const leaver = { login: 'leaver', name: 'Leaver', password: 'demo password of leaver' };
    const { json } = await demo.newClient().post<{ uid: string }>(REGISTRATION, leaver);
    const path = `/api/admin/users/${json.uid}`;
    const early = await deleteLater(demo, path, QUARTER_SECONDS + 60);
    const recent = await admin.delete(path);
    say(`16 minutes after the log-in ${early}, just after it ${recent.summary}`);
    expectEqual('long after the log-in', early, '401 login_required');
    expectEqual('just after the log-in', recent.status, 204);
  });
}

/** Deletes with a token of the administrator, as status polls renew it long after the log-in. */
async function deleteLater(demo: DemoUnderCheck, path: string, seconds: number): Promise<string> {
  const auth = createAuth({ signingKey: demo.signingKey, secureCookies: false, cookiePath: '/api/admin' });
  const authTime = Math.floor(Date.now() / 1_000) - seconds;
  const token = await auth.issueAccessToken('1', ['admin'], { authTime });
  const headers = { cookie: `access_token=${token}` };
  const answer = await fetch(new URL(path, demo.appUrl()), { method: 'DELETE', headers });
  if (answer.status === 204) return '204';
  const { code } = (await answer.json()) as { readonly code: string };
  return `${answer.status} ${code}`;
}
