/**
 * `npm run example <name>`: starts an example of this folder from a clean clone. Installs and builds
 * what is missing, and starts its services with Docker unless they answer already. Uses modules of
 * Node alone, because nothing may be installed yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, isNewest } from './is-built.mjs';

const examples = fileURLToPath(new URL('.', import.meta.url));
const root = join(examples, '..');
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, '.npmrc')));
const [name = ''] = process.argv.slice(2);
if (!names.includes(name)) fail(`npm run example <name>, where <name> is one of: ${names.join(', ')}`);
const folder = join(examples, name);

/** What runs now: signals that come here go on to it. */
let running;
// Ctrl-C reaches the whole group: what runs ends by itself.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => running?.kill('SIGTERM') || process.exit(1));

if (!existsSync(join(root, 'node_modules'))) await npm(root, 'ci');
if (!isBuilt('auth') || !isBuilt('webhooks')) await npm(root, 'run', 'build');
if (!isInstalled()) await npm(folder, 'ci');
await startServices();
await start();

/** Whether the example has been installed since what is installed was last changed. */
function isInstalled() {
  const manifests = ['package.json', 'package-lock.json', '.npmrc'].map((file) => join(folder, file));
  const packages = Object.values(manifestOf(folder).dependencies ?? {})
    .filter((version) => version.startsWith('file:'))
    .map((version) => join(folder, version.slice('file:'.length)));
  const packed = packages.flatMap((path) => {
    const files = (manifestOf(path).files ?? []).filter((file) => !file.startsWith('!'));
    return ['package.json', ...files].map((file) => join(path, file));
  });
  // npm writes this file last, and no install that failed has it.
  return isNewest(join(folder, 'node_modules/.package-lock.json'), [...manifests, ...packed]);
}

function manifestOf(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
}

/** Starts the services of compose.yaml. Those that answer on this machine are used as they are. */
async function startServices() {
  const compose = join(folder, 'compose.yaml');
  if (!existsSync(compose) || (await allAnswer(compose))) return;
  if (spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status !== 0) {
    fail(
      `Start the services of ${compose} first, or set the variables in its README: there is no Docker here.`,
    );
  }
  await run('docker', ['compose', 'up', '--detach', '--wait'], folder);
}

/** Whether each service answers, or the address of another one is given. */
async function allAnswer(compose) {
  if (['DATABASE_URL', 'REDIS_URL'].some((name) => process.env[name] && takes(name))) return true;
  const ports = [...readFileSync(compose, 'utf8').matchAll(/127\.0\.0\.1:(\d+):/g)];
  return (await Promise.all(ports.map(([, port]) => answers(port)))).every(Boolean);
}

/** Whether the README of the example lists a variable. */
function takes(variable) {
  return readFileSync(join(folder, 'README.md'), 'utf8').includes(`| \`${variable}\` |`);
}

function answers(port) {
  const socket = connect(Number(port), '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

/** Runs the start script until it ends, and ends as it does. */
async function start() {
  const [program, ...args] = manifestOf(folder).scripts.start.split(' ');
  const env = { ...process.env, ...confidentialValues() };
  process.exitCode = await exitCodeOf(program === 'node' ? process.execPath : program, args, {
    cwd: folder,
    env,
  });
}

/** The key and the password that are set, or those for this start alone. */
function confidentialValues() {
  const { AUTH_SIGNING_KEY = '', ADMIN_PASSWORD = '' } = process.env;
  const password = randomBytes(9).toString('base64url');
  if (ADMIN_PASSWORD === '' && takes('ADMIN_PASSWORD')) {
    console.log(`Log in as admin with the password ${password}`);
  }
  return {
    AUTH_SIGNING_KEY: AUTH_SIGNING_KEY || randomBytes(32).toString('base64url'),
    ADMIN_PASSWORD: ADMIN_PASSWORD || password,
  };
}

async function npm(cwd, ...args) {
  console.log(`npm ${args.join(' ')}${cwd === root ? '' : ` (${name})`}`);
  await run('npm', ['--silent', ...args], cwd);
}

async function run(program, args, cwd) {
  const exitCode = await exitCodeOf(program, args, { cwd, shell: process.platform === 'win32' });
  if (exitCode !== 0) fail(`${program} ${args.join(' ')} failed`);
}

/** Runs a program to its end. The code is 1 where it has none: a signal ended it, or it is not there. */
function exitCodeOf(program, args, options) {
  running = spawn(program, args, { ...options, stdio: 'inherit' });
  return new Promise((resolve) => {
    running.once('error', () => resolve(1)).once('exit', (code) => resolve(code ?? 1));
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
