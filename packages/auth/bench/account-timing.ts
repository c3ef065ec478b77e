import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { kyselyOneTimeTokenStore } from '../src/kysely/kysely-one-time-token-store.ts';
import { migrateAuth } from '../src/kysely/migrate.ts';
import { createOneTimeTokens, type OneTimeTokens } from '../src/one-time-tokens/one-time-tokens.ts';
import { createTokenRequests } from '../src/one-time-tokens/token-requests.ts';

/**
 * How well the latency of a request right behind "Forgot password?" tells known from unknown
 * accounts, on a SQLite driver that blocks the event loop: decision 064. Takes two minutes and is
 * no part of `npm run bench`.
 */
const ROUNDS = 800;
const ACCOUNTS = 1_000;
const PAUSE_MS = 12;
const MAIL_MS = 1.5;

interface Tables {
  users: { uid: string; login: string };
}

const DEFENCES = ['none', 'token', 'token and delay'] as const;
const MAILS = ['cheap', 'computing'] as const;

const [defence = '', mail = ''] = process.argv.slice(2);
if (process.send === undefined) await measureAll();
else await serve(defence, mail);

async function measureAll(): Promise<void> {
  console.log('\nKnown from unknown accounts by the latency of the next request (AUC; 0.5 is chance)');
  for (const defence of DEFENCES) {
    for (const mail of MAILS) {
      const { auc, standardError } = await measure(defence, mail);
      const title = `${defence}, ${mail} sendToken`.padEnd(36);
      console.log(`  ${title} ${auc.toFixed(2)}, standard error ${standardError.toFixed(2)}`);
    }
  }
}

async function measure(defence: string, mail: string) {
  const server = fork(fileURLToPath(import.meta.url), [defence, mail], { execArgv: ['--import', 'tsx'] });
  const [port] = await once(server, 'message');
  const [requests, next] = [client(Number(port)), client(Number(port))];
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = -50; round < ROUNDS; round++) {
    const isKnown = Math.random() < 0.5;
    await requests.ask(`/${isKnown ? '' : 'no '}user ${Math.floor(Math.random() * ACCOUNTS)}`);
    const begun = performance.now();
    await next.ask('/');
    if (round >= 0) (isKnown ? known : unknown).push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  for (const { end } of [requests, next]) end();
  const closed = once(server, 'close');
  server.kill();
  await closed;
  return compare(known, unknown);
}

/** A connection that is kept, and asks one thing at a time. */
function client(port: number) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  return {
    async ask(path: string) {
      socket.write(`GET ${encodeURI(path)} HTTP/1.1\r\nhost: x\r\n\r\n`);
      const [answer] = await once(socket, 'data');
      if (!String(answer).startsWith('HTTP/1.1 200')) throw new Error(String(answer));
    },
    end: () => socket.destroy(),
  };
}

/** The share of pairs in which the known account is the slower one, and its error by chance. */
function compare(known: readonly number[], unknown: readonly number[]) {
  const pairs = known.length * unknown.length;
  const slower = known.reduce((sum, time) => sum + unknown.filter((other) => time > other).length, 0);
  const standardError = Math.sqrt((known.length + unknown.length + 1) / 12 / pairs);
  return { auc: slower / pairs, standardError };
}

async function serve(defence: string, mail: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'account-timing-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  process.once('SIGTERM', () => process.exit());
  const sqlite = new Database(join(folder, 'app.db'));
  sqlite.pragma('journal_mode = WAL');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  await migrateAuth(db);
  sqlite.exec('create table users (uid text primary key, login text unique)');
  const users = Array.from({ length: ACCOUNTS }, (_, n) => ({ uid: `${n}`, login: `user ${n}` }));
  await db.insertInto('users').values(users).execute();
  const tokens = createOneTimeTokens({ instance: '/api', store: kyselyOneTimeTokenStore(db) });

  const requests = createTokenRequests({
    tokens: defence === 'none' ? forUsersAlone(tokens) : tokens,
    purpose: 'password_reset',
    maxPerAccount: 100_000,
    maxPerAddress: 100_000,
    findUser: (login) => db.selectFrom('users').selectAll().where('login', '=', login).executeTakeFirst(),
    async sendToken() {
      const end = performance.now() + (mail === 'computing' ? MAIL_MS : 0);
      while (performance.now() < end);
    },
  });
  if (defence !== 'token and delay') removeDelays();
  const server = createServer(async ({ url = '/' }, response) => {
    if (url !== '/') await requests.request(decodeURI(url).slice(1), { ip: '192.0.2.1' });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}

/** Issues no token where there is no user. */
function forUsersAlone(tokens: OneTimeTokens): OneTimeTokens {
  const none = { token: '', expiresAt: 0 };
  return { ...tokens, issue: async (request) => (/^\d/.test(request.uid) ? tokens.issue(request) : none) };
}

/** Lets work begin in the next turn of the event loop: this server waits for nothing else. */
function removeDelays(): void {
  Object.assign(globalThis, { setTimeout: (run: () => void) => setImmediate(run) });
}
