import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeSpansIn, rowsUnder } from '../readme/markdown.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const page = readFileSync(new URL('../../packages/webhooks/docs/security.md', import.meta.url), 'utf8');

/** The headers of every request, as the page lists them. */
const ALWAYS = rowsUnder(page, 'header')
  .filter(([, when]) => when === 'always' || when?.startsWith('unless'))
  .flatMap(([names = '']) => codeSpansIn(names).filter((span) => /^[\w-]+$/.test(span)))
  .sort();

/** Tools that add headers to requests of HTTP clients, and one that each adds. */
const TOOLS = [
  ['sentry', 'sentry-trace'],
  ['opentelemetry', 'traceparent'],
  ['datadog', 'x-datadog-trace-id'],
] as const;

/** What a run prints: the header names of a `fetch`, and of deliveries without and with a trace. */
interface Printed {
  readonly fetched: readonly string[];
  readonly plain: readonly string[];
  readonly passed: { readonly names: readonly string[]; readonly traceparent: string };
}

beforeAll(() => {
  const versions: Readonly<Record<string, string>> = manifestOf('package.json').dependencies;
  const isInstalled = ([name, version]: [string, string]) =>
    existsSync(`${folder}node_modules/${name}/package.json`) &&
    manifestOf(`node_modules/${name}/package.json`).version === version;
  if (Object.entries(versions).every(isInstalled)) return;
  execFileSync('npm', ['ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
});

function manifestOf(path: string) {
  return JSON.parse(readFileSync(`${folder}${path}`, 'utf8'));
}

async function run(tool: string): Promise<Printed> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', `./programs/${tool}.mjs`, 'programs/engine-in-a-request.mjs'],
    { cwd: folder, env: { ...process.env, DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false' } },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

describe('an engine that is created inside a traced request', () => {
  it.each(TOOLS)('sends no header of %s, which adds %s to fetch', async (tool, added) => {
    const { fetched, plain, passed } = await run(tool);
    expect(fetched).toContain(added);
    expect([...plain].sort()).toEqual(ALWAYS);
    expect([...passed.names].sort()).toEqual([...ALWAYS, 'traceparent'].sort());
    expect(passed.traceparent).toBe('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
  });
});
