import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

/** A PostgreSQL server of this proof's own, which may be restarted. */
export interface OwnPostgres {
  readonly url: string;
  /** Ends every connection at once, as a crash does, and starts the server again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A MariaDB server of this proof's own. */
export interface OwnMariadb {
  readonly url: string;
  stop(): Promise<void>;
}

/** A Redis server of this proof's own, which may be flushed. */
export interface OwnRedis {
  readonly port: number;
  /** Answers how many jobs of BullMQ were in it. */
  flush(): Promise<number>;
  stop(): Promise<void>;
}

const PATIENCE_MS = 30_000;
const POLL_MS = 50;

export async function startPostgres(): Promise<OwnPostgres> {
  const bin = postgresBin();
  const folder = mkdtempSync(join(tmpdir(), 'prove-postgres-'));
  // The server refuses to run as root.
  const account = process.getuid?.() === 0 ? accountOf('postgres') : {};
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
  const run = (command: string, args: readonly string[]) =>
    execFileSync(join(bin, command), args, { ...account, cwd: folder, stdio: 'ignore' });
  const data = join(folder, 'data');
  const port = await freePort();
  run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust']);
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=${folder}`;
  const start = () => run('pg_ctl', ['-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start']);
  const stop = () => run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
  const remove = () => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  };
  start();
  // Also when the proof itself breaks down.
  process.once('exit', remove);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await answers(async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.end();
  });
  return {
    url,
    async restart() {
      stop();
      start();
    },
    async stop() {
      process.off('exit', remove);
      remove();
    },
  };
}

/** Its data lies in a folder that is removed, and nothing waits for the disk. */
export async function startMariadb(): Promise<OwnMariadb> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-mariadb-'));
  const data = join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? ['--user=mysql'] : [];
  if (isRoot) {
    const { uid, gid } = accountOf('mysql');
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  }
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', ...user],
    { stdio: 'ignore' },
  );
  const port = await freePort();
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--port=${port}`,
      ...user,
      '--bind-address=127.0.0.1',
      '--innodb-flush-log-at-trx-commit=0',
      '--pid-file',
      join(folder, 'pid'),
    ],
    { stdio: 'ignore', cwd: folder },
  );
  const kill = () => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', kill);
  const url = `mysql://root@127.0.0.1:${port}/test`;
  await answers(async () => {
    const connection = await createConnection({ uri: `mysql://root@127.0.0.1:${port}/` });
    await connection.query('create database if not exists test');
    await connection.end();
  });
  return {
    url,
    async stop() {
      process.off('exit', kill);
      const ended = once(server, 'exit');
      kill();
      await ended;
    },
  };
}

export async function startRedis(): Promise<OwnRedis> {
  const port = await freePort();
  const server: ChildProcess = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore', cwd: tmpdir() },
  );
  const kill = () => void server.kill();
  process.once('exit', kill);
  const command = async <Answer>(send: (redis: Redis) => Promise<Answer>) => {
    const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await send(redis);
    } finally {
      redis.disconnect();
    }
  };
  await answers(async () => {
    await command((redis) => redis.ping());
  });
  return {
    port,
    flush: () =>
      command(async (redis) => {
        const [queue] = await redis.keys('*:meta');
        const prefix = queue?.slice(0, -':meta'.length) ?? '';
        const jobs = (await redis.zcard(`${prefix}:delayed`)) + (await redis.llen(`${prefix}:wait`));
        await redis.flushall();
        return jobs;
      }),
    async stop() {
      process.off('exit', kill);
      const ended = once(server, 'exit');
      kill();
      await ended;
    },
  };
}

/** Debian keeps the server's programs out of the path, a folder per version. */
function postgresBin(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  return found ?? '';
}

function accountOf(user: string): { uid?: number; gid?: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function answers(ask: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
