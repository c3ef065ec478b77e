import type { ChapterParts } from './chapter.ts';
import { credentialsOf, type DemoUnderCheck } from './demo-under-check.ts';
import { expectEqual } from './expectation.ts';
import { WEBHOOKS } from './webhook-fixture.ts';

const ADMIN_LOG_IN = '/api/admin/auth/login';
const USER_LOG_IN = '/api/auth/login';
const GENERAL_ROUTE = '/api/admin/users';

/** Who gets in, and who does not. */
export async function checkLogIn(parts: ChapterParts): Promise<void> {
  const { step, demo, admin, customer } = parts;
  const stranger = demo.newClient();

  await step('A wrong password and an unknown log-in are refused alike', async (say) => {
    const wrong = await stranger.post(ADMIN_LOG_IN, { login: 'admin', password: 'not the password' });
    const unknown = await stranger.post(ADMIN_LOG_IN, { login: 'nobody', password: 'not the password' });
    say(`${wrong.summary}, ${unknown.summary}, no cookie`);
    expectEqual('answer', wrong.summary, '401 invalid_credentials');
    expectEqual('answer to an unknown log-in', unknown.json, wrong.json);
    expectEqual('cookies', [...wrong.setCookies, ...unknown.setCookies], []);
  });

  await step("A log-in sent by another site's page is refused", async (say) => {
    const origin = { origin: 'https://another-site.example' };
    const answer = await stranger.post(ADMIN_LOG_IN, credentialsOf('admin'), origin);
    say(answer.summary);
    expectEqual('answer', answer.summary, '403 cross_site');
  });

  await step('The administrator logs in', async (say) => {
    const answer = await admin.post(ADMIN_LOG_IN, credentialsOf('admin'));
    const [access, refresh, device] = cookieAttributes(answer.setCookies);
    say(`${answer.summary} ${JSON.stringify(answer.json)}`);
    say(`access token ${access?.join('; ')}, refresh token ${refresh?.join('; ')}`);
    expectEqual('status', answer.status, 200);
    expectEqual('access token', access, ['HttpOnly', 'Max-Age=300', 'Path=/api/admin', 'SameSite=Lax']);
    expectEqual('refresh token', refresh, [
      'HttpOnly',
      'Max-Age=86400',
      'Path=/api/admin/auth',
      'SameSite=Lax',
    ]);
    expectEqual('known device', device, [
      'HttpOnly',
      'Max-Age=7776000',
      'Path=/api/admin/auth',
      'SameSite=Lax',
    ]);
  });

  await step('A user logs in', async (say) => {
    const answer = await customer.post(USER_LOG_IN, credentialsOf('customer'));
    const [access, refresh] = cookieAttributes(answer.setCookies);
    say(`${answer.summary} ${JSON.stringify(answer.json)}`);
    expectEqual('status', answer.status, 200);
    expectEqual('access token', access, ['HttpOnly', 'Max-Age=300', 'Path=/api', 'SameSite=Lax']);
    expectEqual('refresh token', refresh, ['HttpOnly', 'Max-Age=86400', 'Path=/api/auth', 'SameSite=Lax']);
  });

  await step('Nobody gets in without a cookie', async (say) => {
    const paths = [WEBHOOKS, GENERAL_ROUTE, '/api/orders'];
    const answers = await Promise.all(paths.map((path) => stranger.get(path)));
    say(answers.map(({ summary }, index) => `${paths[index]} ${summary}`).join(', '));
    expectEqual(
      'statuses',
      answers.map(({ status }) => status),
      [401, 401, 401],
    );
  });

  await step(
    "A user's token is refused at the administrators' routes, though both have uid 1",
    async (say) => {
      const own = await customer.get('/api/orders');
      const webhooks = await customer.get(WEBHOOKS);
      const general = await customer.get(GENERAL_ROUTE);
      say(`/api/orders ${own.summary}, ${WEBHOOKS} ${webhooks.summary}, ${GENERAL_ROUTE} ${general.summary}`);
      expectEqual('statuses', [own.status, webhooks.status, general.status], [200, 401, 401]);
    },
  );

  await step(
    'Scopes match exactly: neither admin nor admin:webhooks opens the other’s routes',
    async (say) => {
      const integrator = await routesOpenTo(demo, 'integrator');
      const clerk = await routesOpenTo(demo, 'clerk');
      say(`admin:webhooks alone: webhooks ${integrator[0]}, general ${integrator[1]}`);
      say(`admin alone: webhooks ${clerk[0]}, general ${clerk[1]}`);
      expectEqual('admin:webhooks alone', integrator, ['200', '403 insufficient_scope']);
      expectEqual('admin alone', clerk, ['403 insufficient_scope', '200']);
    },
  );

  await step('The status poll renews the access token', async (say) => {
    const answer = await admin.post<{ uid: string; expires_at: number }>('/api/admin/auth/status');
    say(`${answer.summary} ${JSON.stringify(answer.json)}`);
    expectEqual('status', [answer.status, answer.json.uid], [200, '1']);
    expectEqual('cookies', answer.setCookies.length >= 1, true);
    expectEqual('without a session', (await stranger.post('/api/admin/auth/status')).status, 401);
  });

  await step('A session that is ended on another device is out at once', async (say) => {
    const lost = demo.newClient();
    await lost.post(ADMIN_LOG_IN, credentialsOf('clerk'));
    const clerk = demo.newClient();
    await clerk.post(ADMIN_LOG_IN, credentialsOf('clerk'));
    const sessions = '/api/admin/auth/sessions';
    const { json } = await lost.get<{ sessions: { id: string; current: boolean }[] }>(sessions);
    const before = await lost.get(GENERAL_ROUTE);
    const itsSession = json.sessions.find(({ current }) => current);
    const ended = await clerk.delete(`${sessions}/${itsSession?.id}`);
    const answers = [await lost.get(GENERAL_ROUTE), await lost.post('/api/admin/auth/status')];
    say(
      `${json.sessions.length} sessions, one ended: ${ended.status}; with its cookies ${before.summary} before`,
    );
    say(
      `${answers.map(({ summary }) => summary).join(' and ')} after; the other ${(await clerk.get(GENERAL_ROUTE)).summary}`,
    );
    expectEqual('sessions', json.sessions.length >= 2, true);
    expectEqual(
      'statuses',
      [before.status, ended.status, ...answers.map(({ status }) => status)],
      [200, 204, 401, 401],
    );
    expectEqual('the other', (await clerk.get(GENERAL_ROUTE)).status, 200);
  });

  await step('Logging out clears the cookies', async (say) => {
    const client = demo.newClient();
    await client.post(ADMIN_LOG_IN, credentialsOf('admin'));
    const before = await client.get(GENERAL_ROUTE);
    const logOut = await client.post('/api/admin/auth/logout');
    const after = await client.get(GENERAL_ROUTE);
    say(`before ${before.summary}, log-out ${logOut.summary}, after ${after.summary}`);
    expectEqual('statuses', [before.status, logOut.status, after.status], [200, 204, 401]);
  });

  await checkKnownDevice(parts);
}

/** How many wrong log-ins lock an account: the library's default. */
const MAX_FAILURES = 10;

/** Locks an account from a browser that has never logged in, and logs in from the owner's. */
async function checkKnownDevice({ step, demo }: ChapterParts): Promise<void> {
  await step('Ten wrong log-ins from elsewhere do not keep a known browser out', async (say) => {
    const owner = demo.newClient();
    const elsewhere = demo.newClient();
    const first = await owner.post(ADMIN_LOG_IN, credentialsOf('integrator'));
    const wrong = { login: 'integrator', password: 'not the password' };
    const guesses = await Promise.all(
      Array.from({ length: MAX_FAILURES }, () => elsewhere.post(ADMIN_LOG_IN, wrong)),
    );
    const locked = await elsewhere.post(ADMIN_LOG_IN, credentialsOf('integrator'));
    const known = await owner.post(ADMIN_LOG_IN, credentialsOf('integrator'));
    say(`the right password elsewhere ${locked.summary}, in the known browser ${known.summary}`);
    expectEqual('first log-in', first.status, 200);
    expectEqual('guesses', [...new Set(guesses.map(({ summary }) => summary))], ['401 invalid_credentials']);
    expectEqual('elsewhere', locked.summary, '429 rate_limited');
    expectEqual('known browser', known.status, 200);
  });
}

async function routesOpenTo(demo: DemoUnderCheck, login: string): Promise<readonly string[]> {
  const client = demo.newClient();
  expectEqual('log-in', (await client.post(ADMIN_LOG_IN, credentialsOf(login))).status, 200);
  return [(await client.get(WEBHOOKS)).summary, (await client.get(GENERAL_ROUTE)).summary];
}

/**
 * The attributes of the cookies of the access token, the refresh token and the known device, in
 * order; never their values.
 */
function cookieAttributes(setCookies: readonly string[]): readonly (readonly string[])[] {
  expectEqual(
    'cookies',
    setCookies.map((cookie) => cookie.split('=', 1)[0]),
    ['access_token', 'refresh_token', 'known_device'],
  );
  return setCookies.map((cookie) => cookie.split('; ').slice(1).sort());
}
