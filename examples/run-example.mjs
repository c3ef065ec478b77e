/**
 * `npm run example <name>`: starts an example of this folder from a clean clone. Installs and builds
 * what is missing, and starts its services with Docker unless they answer already. Uses modules of
 * Node alone, because nothing may be installed yet.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const examples = fileURLToPath(new URL('.', import.meta.url));
const root = join(examples, '..');
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, '.npmrc')));
const [name = ''] = process.argv.slice(2);
if (!names.includes(name)) fail(`npm run example <name>, where <name> is one of: ${names.join(', ')}`);
const folder = join(examples, name);

if (!existsSync(join(root, 'node_modules'))) npm(root, 'ci');
if (!isBuilt('auth') || !isBuilt('webhooks')) npm(root, 'run', 'build');
npm(folder, 'ci');
await startServices();
start();

/** Whether a package has been built since its source was last changed. */
function isBuilt(name) {
  const entry = join(root, 'packages', name, 'dist/index.js');
  if (!existsSync(entry)) return false;
  const builtAt = statSync(entry).mtimeMs;
  return [name, 'toolkit'].every((source) => {
    const sources = join(root, 'packages', source, 'src');
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
    return files.every((file) => statSync(join(sources, file)).mtimeMs <= builtAt);
  });
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
  run('docker', ['compose', 'up', '--detach', '--wait'], folder);
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

/** Runs the start script until it ends, and passes signals on to it. */
function start() {
  const [program, ...args] = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ).scripts.start.split(' ');
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: folder,
    env: { ...process.env, ...confidentialValues() },
    stdio: 'inherit',
  });
  // Ctrl-C reaches the whole group: the child ends by itself.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
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

function npm(cwd, ...args) {
  console.log(`npm ${args.join(' ')}${cwd === root ? '' : ` (${name})`}`);
  run('npm', ['--silent', ...args], cwd);
}

function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) fail(`${program} ${args.join(' ')} failed`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
