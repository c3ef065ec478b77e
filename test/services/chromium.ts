import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/**
 * The shell has no windows: with them, each context starts a renderer for a tab strip that nobody
 * sees, which took more of the processor than the pages (Chromium 156).
 */
const SHELL = '/usr/bin/chromium-headless-shell';
const executablePath = process.env.TEST_CHROMIUM_PATH ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');

/**
 * Why suites that need a browser are left out here; `undefined` where they run. It is named on the
 * console; with `REQUIRE_SERVICES=1` they run, and fail.
 */
export const chromiumSkipped: string | undefined = reasonToSkip();

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser that talks to loopback alone. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  return await chromium.launch({ executablePath, headless: true, args: QUIET, ...options });
}

/** Each test file has a copy of this module of its own; all in a process share the browser. */
const ofProcess = globalThis as { sharedChromium?: Promise<Browser> };

/**
 * The browser of this process, which starts with the first test that needs one, and ends with the
 * process: a context of its own is all that a test opens and closes.
 */
export async function sharedChromium(): Promise<Browser> {
  ofProcess.sharedChromium ??= launchChromium();
  return await ofProcess.sharedChromium;
}

function reasonToSkip(): string | undefined {
  if (existsSync(executablePath) || process.env.REQUIRE_SERVICES === '1') return undefined;
  const reason = `Chromium is not at ${executablePath} (TEST_CHROMIUM_PATH)`;
  console.warn(`skipped: ${reason}`);
  return reason;
}
