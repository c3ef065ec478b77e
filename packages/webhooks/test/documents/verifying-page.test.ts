import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeBlocksIn } from '../../../../test/readme/markdown.ts';
import { SHIPPED } from '../signing/shipped-vectors.ts';

const BLOCKS = codeBlocksIn(readFileSync(new URL('../../docs/verifying.md', import.meta.url), 'utf8'));
const VECTORS = fileURLToPath(new URL('../../vectors/signing.json', import.meta.url));

/**
 * How the code of one language is run: with a program that prints a line of `accept`, `refuse` or
 * `unusable secret` per vector.
 */
interface Language {
  readonly name: string;
  readonly fence: string;
  readonly file: string;
  readonly program: string;
  readonly programFile: string;
  readonly command: readonly string[];
  readonly version: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    fence: 'ts',
    file: 'webhook.ts',
    programFile: 'judge.ts',
    program: `
import { readFileSync } from 'node:fs';
import { verifyStandard, verifyXWebhook } from './webhook.ts';
for (const { scheme, secrets, headers, body, now, tolerance_seconds } of JSON.parse(readFileSync(process.argv[2], 'utf8')).callbacks) {
  const names = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  const get = (name: string) => names.get(name);
  try {
    if (scheme === 'standard') verifyStandard(secrets, get, Buffer.from(body), { now, tolerance: tolerance_seconds });
    else verifyXWebhook(secrets, get, Buffer.from(body));
    console.log('accept');
  } catch (error) {
    console.log(error instanceof TypeError ? 'unusable secret' : 'refuse');
  }
}`,
    command: [process.execPath, '--import', import.meta.resolve('tsx'), 'judge.ts'],
    version: [process.execPath, '--version'],
  },
  {
    name: 'Python',
    fence: 'python',
    file: 'webhook.py',
    programFile: 'judge.py',
    program: `
import json, sys
from webhook import InvalidWebhook, verify_standard, verify_x_webhook
for v in json.load(open(sys.argv[1], encoding="utf-8"))["callbacks"]:
    headers = {name.lower(): value for name, value in v["headers"].items()}
    body = v["body"].encode()
    try:
        if v["scheme"] == "standard":
            verify_standard(v["secrets"], headers, body, now=v["now"], tolerance=v["tolerance_seconds"])
        else:
            verify_x_webhook(v["secrets"], headers, body)
        print("accept")
    except InvalidWebhook:
        print("refuse")
    except ValueError as error:
        if isinstance(error, UnicodeError):
            raise
        print("unusable secret")
`,
    command: ['python3', '-B', 'judge.py'],
    version: ['python3', '--version'],
  },
  {
    name: 'Go',
    fence: 'go',
    file: 'webhook.go',
    programFile: 'judge.go',
    program: `package main
import ("encoding/json"; "fmt"; "os"; "strings"; "time")
type vector struct { Scheme string; Secrets []string; Headers map[string]string; Body string; Now int64; Tolerance int64 \`json:"tolerance_seconds"\` }
func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil { panic(err) }
	var file struct { Callbacks []vector }
	if err := json.Unmarshal(text, &file); err != nil { panic(err) }
	for _, v := range file.Callbacks {
		names := map[string]string{}
		for name, value := range v.Headers { names[strings.ToLower(name)] = value }
		get := func(name string) string { return names[name] }
		var err error
		if v.Scheme == "standard" {
			_, err = VerifyStandard(v.Secrets, get, []byte(v.Body), time.Unix(v.Now, 0), time.Duration(v.Tolerance) * time.Second)
		} else {
			_, err = VerifyXWebhook(v.Secrets, get, []byte(v.Body))
		}
		if err == nil { fmt.Println("accept") } else if err == ErrInvalid { fmt.Println("refuse") } else { fmt.Println("unusable secret") }
	}
}`,
    command: ['go', 'run', 'judge.go', 'webhook.go'],
    version: ['go', 'version'],
  },
  {
    name: 'Ruby',
    fence: 'ruby',
    file: 'webhook.rb',
    programFile: 'judge.rb',
    program: `
require_relative "webhook"
JSON.parse(File.read(ARGV[0], encoding: "utf-8"))["callbacks"].each do |v|
  headers = v["headers"].transform_keys(&:downcase)
  if v["scheme"] == "standard"
    Webhook.verify_standard(v["secrets"], headers, v["body"], now: v["now"], tolerance: v["tolerance_seconds"])
  else
    Webhook.verify_x_webhook(v["secrets"], headers, v["body"])
  end
  puts "accept"
rescue Webhook::Invalid
  puts "refuse"
rescue ArgumentError
  puts "unusable secret"
end
`,
    command: ['ruby', 'judge.rb'],
    version: ['ruby', '--version'],
  },
];

/** The code as the page shows it. */
function codeOf({ name, fence }: Language): string {
  const [block] = BLOCKS.filter(({ section, language }) => section === name && language === fence);
  if (block === undefined) throw new Error(`the page has no code for ${name}`);
  // A program in Go is one package.
  return block.code.replace(/^package webhook$/m, 'package main');
}

function judge(language: Language, vectors = VECTORS): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'verifying-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, language.file), codeOf(language));
  writeFileSync(join(folder, language.programFile), language.program);
  const [command = '', ...args] = language.command;
  const run = spawnSync(command, [...args, vectors], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GOCACHE: join(folder, 'cache'), GOPATH: join(folder, 'path'), GO111MODULE: 'off' },
  });
  expect([run.status, run.stderr]).toEqual([0, '']);
  return run.stdout.trim().split('\n');
}

// What vectors do not know about: freshness of x-webhook is a choice, and the page chooses none.
const isJudged = ({ scheme, tolerance_seconds }: (typeof SHIPPED.callbacks)[number]): boolean =>
  scheme === 'standard' || tolerance_seconds === null;

describe('the code on docs/verifying.md', () => {
  for (const language of LANGUAGES) {
    const [command = '', ...args] = language.version;
    const isInstalled = spawnSync(command, args).status === 0;
    const title = `in ${language.name} judges every vector as it says`;
    const isRequired = process.env.REQUIRE_SERVICES === '1';
    it.runIf(isInstalled || isRequired)(
      isInstalled || isRequired ? title : `${title} (skipped: ${command} is not installed)`,
      { timeout: 240_000 },
      () => {
        const outcomes = judge(language);
        expect(outcomes).toHaveLength(SHIPPED.callbacks.length);
        const named = SHIPPED.callbacks.map(({ name }, index) => `${name}: ${outcomes[index]}`);
        const expected = SHIPPED.callbacks.map(
          ({ name, reason, expect }) =>
            `${name}: ${reason === 'secret_unusable' ? 'unusable secret' : expect}`,
        );
        const judged = SHIPPED.callbacks.map(isJudged);
        expect(named.filter((_, index) => judged[index])).toEqual(
          expected.filter((_, index) => judged[index]),
        );
      },
    );
  }

  // As Python's servers give the bytes 0x80 to 0xFF of a header: a lone surrogate each.
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  const hasPython = spawnSync('python3', ['--version']).status === 0;
  it.runIf(hasPython || process.env.REQUIRE_SERVICES === '1')(
    'in Python refuses headers beyond ASCII, of whatever bytes',
    { timeout: 240_000 },
    () => {
      const genuine = SHIPPED.callbacks.filter(({ name }) => name.endsWith(': genuine'));
      const callbacks = genuine.flatMap((vector) =>
        Object.keys(vector.headers).map((name) => ({
          ...vector,
          headers: { ...vector.headers, [name]: '\udcff' },
        })),
      );
      expect(callbacks).toHaveLength(7);
      const folder = mkdtempSync(join(tmpdir(), 'verifying-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, 'vectors.json');
      writeFileSync(file, JSON.stringify({ callbacks }));
      if (python === undefined) throw new Error('there is no Python on the page');
      expect(judge(python, file)).toEqual(callbacks.map(() => 'refuse'));
    },
  );

  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  it.runIf(hasOpenssl).each(SHIPPED.signatures)('for OpenSSL gives the signature of $name', (vector) => {
    const command = BLOCKS.find(({ section, language }) => section === 'By hand' && language === 'sh');
    const { id: ID, timestamp, body: BODY, secret: SECRET } = vector;
    const env = { PATH: process.env.PATH, ID, TIMESTAMP: String(timestamp), BODY, SECRET };
    const run = spawnSync('sh', ['-c', command?.code ?? ''], { encoding: 'utf8', env });
    expect([run.stderr, run.stdout.trim()]).toEqual(['', vector.x_webhook_signature]);
  });
});
