import type { ChapterParts } from './chapter.ts';
import { credentialsOf, type DemoUnderCheck } from './demo-under-check.ts';
import { eventually, expectEqual } from './expectation.ts';

const LOG_IN = '/api/admin/auth/login';
const REQUEST = '/api/admin/password-reset/request';
const RESET = '/api/admin/password-reset';
/** A route that the clerk may read. */
const GENERAL_ROUTE = '/api/admin/users';
const LOGIN = 'clerk';
const NEW_PASSWORD = 'another password of clerk';
/** The limit of the library, per account and hour. */
const MAX_REQUESTS = 5;

/** From "Forgot password?" to the log-in with the new password. */
export async function checkPasswordReset({ step, demo }: ChapterParts): Promise<void> {
  const stranger = demo.newClient();
  const clerk = demo.newClient();

  const first = await step(
    'A known and an unknown account get one answer, and the known one a mail',
    async (say) => {
      const known = await stranger.post(REQUEST, { login: LOGIN });
      const unknown = await stranger.post(REQUEST, { login: 'nobody' });
      const [link = ''] = await mailedLinks(demo, 1);
      say(`${known.summary}, ${unknown.summary}; mailed: ${link.replace(/#.*/, '#…')}`);
      expectEqual('answer', [known.status, known.json, known.setCookies], [202, {}, []]);
      expectEqual('answer to an unknown log-in', [unknown.status, unknown.json], [202, {}]);
      expectEqual('mail to an unknown log-in', demo.appPrinted().includes('Mail to nobody'), false);
      expectEqual('form of the link', /\/admin\/reset-password#[0-9a-f]{64}$/.test(link), true);
      return link;
    },
  );

  const link = await step('A new link replaces the first', async (say) => {
    await stranger.post(REQUEST, { login: LOGIN });
    const [, second = ''] = await mailedLinks(demo, 2);
    const answer = await stranger.post(RESET, { token: tokenOf(first), password: NEW_PASSWORD });
    say(`the first ${answer.summary}`);
    expectEqual('the first link', answer.summary, '422 one_time_token_invalid');
    return second;
  });

  await step('Opening the link, as mail scanners do, consumes nothing', async (say) => {
    const withToken = link.replace('#', '?token=');
    const answers = [await fetch(link), await fetch(withToken), await fetch(link, { method: 'HEAD' })];
    const headers = answers.map(({ headers }) => headers.get('referrer-policy'));
    const refused = await stranger.get(`${RESET}?token=${tokenOf(link)}`);
    say(`${answers.map(({ status }) => status).join(', ')}, Referrer-Policy ${headers[0]}`);
    say(`GET of the other address ${refused.status}`);
    expectEqual(
      'statuses',
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    expectEqual('Referrer-Policy', headers, ['no-referrer', 'no-referrer', 'no-referrer']);
    expectEqual('status of the other address', refused.status, 401);
  });

  await step('A password that is none is refused, and the link still works', async (say) => {
    const answer = await stranger.post(RESET, { token: tokenOf(link), password: '' });
    say(answer.summary);
    expectEqual('answer', answer.summary, '422 password_invalid');
  });

  await step('A POST sets the password, logs nobody in, and ends the old sessions', async (say) => {
    await clerk.post(LOG_IN, credentialsOf(LOGIN));
    const before = await clerk.get(GENERAL_ROUTE);
    const reset = await stranger.post(RESET, { token: tokenOf(link), password: NEW_PASSWORD });
    const after = [await clerk.get(GENERAL_ROUTE), await clerk.post('/api/admin/auth/status')];
    say(`${reset.summary}; with the old cookies ${before.summary} before, ${after[0]?.summary} after`);
    const cookies = reset.setCookies.map((cookie) => cookie.split('=', 1)[0]);
    expectEqual('reset', [reset.status, cookies], [204, ['known_device']]);
    expectEqual('before', before.status, 200);
    expectEqual(
      'after',
      after.map(({ status }) => status),
      [401, 401],
    );
  });

  await step('A second POST with the link is refused', async (say) => {
    const answer = await stranger.post(RESET, { token: tokenOf(link), password: 'a third password' });
    say(answer.summary);
    expectEqual('answer', answer.summary, '422 one_time_token_invalid');
  });

  await step('The new password logs in, and the old one does not', async (say) => {
    const old = await clerk.post(LOG_IN, credentialsOf(LOGIN));
    const renewed = await clerk.post(LOG_IN, { login: LOGIN, password: NEW_PASSWORD });
    say(`old ${old.summary}, new ${renewed.summary}`);
    expectEqual('statuses', [old.status, renewed.status], [401, 200]);
  });

  await step('Too many requests are refused, for an unknown account as for a known one', async (say) => {
    for (let sent = 2; sent < MAX_REQUESTS; sent += 1) await stranger.post(REQUEST, { login: LOGIN });
    for (let sent = 1; sent < MAX_REQUESTS; sent += 1) await stranger.post(REQUEST, { login: 'nobody' });
    const known = await stranger.post(REQUEST, { login: LOGIN });
    const unknown = await stranger.post(REQUEST, { login: 'nobody' });
    say(`${known.summary}, ${unknown.summary}`);
    expectEqual('answer', known.summary, '429 rate_limited');
    expectEqual('answer to an unknown log-in', unknown.json, known.json);
  });
}

/** Waits until the app has printed that many links to the clerk, and returns them. */
function mailedLinks(demo: DemoUnderCheck, count: number): Promise<readonly string[]> {
  return eventually(`mail ${count} to ${LOGIN}`, async () => {
    const mails = demo.appPrinted().matchAll(/Mail to clerk: .*\n {2}(\S+)\n/g);
    const links = [...mails].map(([, link]) => link ?? '');
    return links.length >= count ? links : undefined;
  });
}

function tokenOf(link: string): string {
  return link.split('#')[1] ?? '';
}
