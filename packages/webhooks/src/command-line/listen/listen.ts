import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { type Command, type CommandInput, SHARED_OPTIONS } from '../command-options.ts';
import { checkScheme, isGenuine, SCHEMES } from '../scheme-check.ts';
import { secretSource } from '../secret-source.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { explain } from '../verify/diagnosis.ts';
import { readAnswerPlan } from './answer-plan.ts';
import { followSecrets } from './known-secrets.ts';
import { createRecipient, type IncomingCallback, type OutgoingAnswer } from './recipient.ts';
import { jsonReportOf, type ReceivedCallback, reportFor } from './request-report.ts';

/** No server of a common tool listens here, and deliveries may go here without `allowedPorts`. */
const DEFAULT_PORT = 4747;

/** The largest body whose signature is explained. */
const MAX_EXPLAINED_BYTES = 65_536;

/** Without `--port`, the first free one of so many ports is taken. */
const PORTS_TRIED = 20;

export const LISTEN: Command = {
  name: 'listen',
  takes: '[options]',
  summary: 'Runs a recipient on this machine that verifies and prints every callback.',
  maxFiles: 0,
  options: {
    port: {
      value: '<port>',
      help: `the port on 127.0.0.1; 0 takes any (default: the first free one from ${DEFAULT_PORT})`,
    },
    status: { value: '<code>', help: 'answers with this status, 200 to 599 (default: 204)' },
    delay: { value: '<time>', help: 'answers after this time, such as 500ms or 20s' },
    hang: { help: 'never answers' },
    'fail-first': {
      value: '<n>',
      help: 'does the above to the first n requests of each delivery only,\nand without any of them answers these with 503',
    },
    'dangerously-listen-on-address': {
      value: '<ip>',
      help: 'listens on another address of this machine, where others can reach it',
    },
    ...SHARED_OPTIONS,
  },
  notes: `The secret comes from --secret-file, which may be written later, or from the variable
WEBHOOK_SECRET, or you paste it; of several, one per line. --secret-file - reads
standard input. A request whose signature does not fit is answered with 401, whatever
the options say. A delivery that was accepted before is printed as a repeat.

Exit codes: 0 after Ctrl-C; 1 if it cannot listen; 2 for a wrong option or secret, or
if the output cannot be written; 4 for an unexpected error.`,
};

/** Serves until a signal ends the process. */
export async function listen(
  input: CommandInput,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<number> {
  const asJson = input.flag('json');
  const plan = readAnswerPlan(input);
  const end = (): void => process.exit(0);
  process.on('SIGINT', end).on('SIGTERM', end);
  const known = await followSecrets(secretSource(input, env), terminal, end);

  async function receive(callback: IncomingCallback): Promise<OutgoingAnswer> {
    const received = await judge(callback, await known.current());
    await terminal.print(asJson ? jsonReportOf(received) : reportFor(received, terminal));
    const { status, delayMs } = received.answer;
    return { status, delayMs, text: `npx @acme/webhooks listen answers ${status}.` };
  }

  let isExplaining = false;

  /** Explains one request at a time, so that forged requests do not delay genuine ones. */
  async function explainOne(callback: IncomingCallback, secrets: readonly string[]): Promise<string> {
    if (isExplaining || callback.body.length > MAX_EXPLAINED_BYTES) return '';
    isExplaining = true;
    return await explain(callback, secrets).finally(() => {
      isExplaining = false;
    });
  }

  async function judge(callback: IncomingCallback, secrets: readonly string[]): Promise<ReceivedCallback> {
    const checks = await Promise.all(
      secrets.length === 0 ? [] : SCHEMES.map((scheme) => checkScheme(callback, scheme, secrets)),
    );
    const isAccepted = secrets.length === 0 || isGenuine(checks);
    const deliveryId = firstOf(callback, 'webhook-id') || firstOf(callback, 'x-webhook-id');
    const refusal = { status: 401, delayMs: 0, isRepeat: false };
    return {
      ...callback,
      deliveryId,
      event: firstOf(callback, 'x-webhook-event') || typeOf(callback.body),
      attempt: firstOf(callback, 'x-webhook-attempt'),
      checks,
      explanation: isAccepted ? '' : await explainOne(callback, secrets),
      answer: isAccepted ? plan.answer(deliveryId) : refusal,
    };
  }

  const address = await start(createRecipient(receive), input, terminal);
  if (address === undefined) return 1;
  await greet(address, known.notice, asJson, terminal);
  return new Promise(() => {});
}

/** Where it listens: an address of this machine, or all of them, and the port. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens the server.
 *
 * @returns nothing if no port can be opened, which was told
 */
async function start(
  server: Server,
  input: CommandInput,
  terminal: Terminal,
): Promise<ListenAddress | undefined> {
  const host = input.text('dangerously-listen-on-address') ?? '127.0.0.1';
  // `isIP` allows a zone, as in fe80::1%eth0, but no URL of a webhook has one.
  if (isIP(host) === 0 || host.includes('%')) {
    throw new UsageError('--dangerously-listen-on-address must be an IP address without a zone.');
  }
  const port = input.integer('port', { min: 0, max: 65_535 });
  const ports =
    port === undefined ? Array.from({ length: PORTS_TRIED }, (_, index) => DEFAULT_PORT + index) : [port];
  const opened = await openPort(server, host, ports);
  if ('port' in opened) return { host, port: opened.port };
  const reason = REASONS[opened.failure] ?? 'The system refused it';
  terminal.warn(`It cannot listen on ${host}, port ${ports.join(', ')}. ${reason} (${opened.failure}).`);
  return undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is taken: --port names another one',
  EACCES: 'The port is not allowed: --port names another one',
  EADDRNOTAVAIL: 'The address is not one of this machine',
};

async function greet(
  address: ListenAddress,
  notice: string,
  asJson: boolean,
  terminal: Terminal,
): Promise<void> {
  const lines = [...howToRegister(address), ...(notice === '' ? [] : [notice]), 'Ctrl-C ends it.\n'];
  // Programs read one line for each request from standard output, so the greeting goes elsewhere.
  if (asJson) terminal.warn(lines.join('\n').trimEnd());
  else await terminal.print(`${lines.join('\n')}\n`);
}

function howToRegister({ host, port }: ListenAddress): readonly string[] {
  const isVersion6 = isIP(host) === 6;
  const url = new URL(`http://${isVersion6 ? `[${host}]` : host}:${port}/`);
  // `::` in all of its spellings, and 0.0.0.0: no address that a request can go to.
  if (['[::]', '0.0.0.0'].includes(url.hostname)) {
    return [
      `Listens on all addresses. Register one of this machine as a webhook, with port ${url.port || 80}.`,
    ];
  }
  const range = `${host}/${isVersion6 ? 128 : 32}`;
  return [
    `Register this address as a webhook: ${url}`,
    `In development, let the app reach it: createWebhooks({ egress: { allowedAddresses: ['${range}'] } })`,
  ];
}

function firstOf({ headers }: IncomingCallback, name: string): string {
  return headers[name]?.[0] ?? '';
}

function typeOf(body: Uint8Array): string {
  try {
    const event: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : '';
    return typeof type === 'string' ? type : '';
  } catch {
    return '';
  }
}

/** What another port may still allow: this one is taken, or is for privileged users. */
const TRIED_ON = ['EADDRINUSE', 'EACCES'];

/**
 * Listens on the first free port.
 *
 * @returns the port, or the code of the error if none can be opened
 */
async function openPort(
  server: Server,
  host: string,
  ports: readonly number[],
): Promise<{ readonly port: number } | { readonly failure: string }> {
  let failure = '';
  for (const port of ports) {
    try {
      // `once` rejects with the server's error, and removes both of its listeners.
      await once(server.listen(port, host), 'listening');
      return { port: (server.address() as AddressInfo).port };
    } catch (error) {
      failure = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      if (!TRIED_ON.includes(failure)) return { failure };
    }
  }
  return { failure };
}
