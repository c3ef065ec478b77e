import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDeliveryHeaders } from '../../src/signing/delivery-headers.ts';
import { generateSecret } from '../../src/signing/secret.ts';

const CODE = fileURLToPath(new URL('../../docs/recipients/', import.meta.url));

const secret = generateSecret();
const previousSecret = generateSecret();
const body = '{"type":"user.created","timestamp":"2026-11-20T04:10:00.123Z","data":{"name":"Zoë"}}';

/** The headers of a real delivery, with lower-case names, as a recipient sees them. */
function headersOf(offsetSeconds = 0, previous?: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000) + offsetSeconds;
  const headers = createDeliveryHeaders({
    secret,
    previousSecret: previous,
    deliveryId: '0123456789abcdef0123456789abcdef',
    event: 'user.created',
    createdAtSeconds: seconds,
    attemptAtSeconds: seconds,
    attempt: 1,
    body,
    standardHeaders: true,
    userAgent: 'acme-webhooks/test',
  });
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What anybody can sign for a recipient whose secret is not configured. */
function forged(): Record<string, string> {
  const headers = headersOf();
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return {
    ...headers,
    'webhook-signature': `v1,${createHmac('sha256', '').update(signed).digest('base64')}`,
  };
}

/** Deliveries, and what a recipient does with each. */
const CASES = {
  'a genuine delivery': { headers: headersOf(), body, secret, is: 'genuine' },
  'one during a rotation': {
    headers: headersOf(0, previousSecret),
    body,
    secret: previousSecret,
    is: 'genuine',
  },
  'one from the near past': { headers: headersOf(-200), body, secret, is: 'genuine' },
  'an old one': { headers: headersOf(-400), body, secret, is: 'refused' },
  'one from the future': { headers: headersOf(400), body, secret, is: 'refused' },
  'a changed body': { headers: headersOf(), body: body.replace('Zoë', 'Eve'), secret, is: 'refused' },
  'a changed id': { headers: { ...headersOf(), 'webhook-id': 'msg_1' }, body, secret, is: 'refused' },
  'another secret': { headers: headersOf(), body, secret: generateSecret(), is: 'refused' },
  'no headers': { headers: {}, body, secret, is: 'refused' },
  'no time': { headers: { ...headersOf(), 'webhook-timestamp': '' }, body, secret, is: 'refused' },
  'a time that is none': {
    headers: { ...headersOf(), 'webhook-timestamp': '1e9' },
    body,
    secret,
    is: 'refused',
  },
  'no secret': { headers: forged(), body, secret: '', is: 'no secret' },
  'a secret that was cut': { headers: headersOf(), body, secret: secret.slice(0, 20), is: 'no secret' },
};

/** One case as a line, for languages that have no JSON of their own: texts in base64. */
const LINES = Object.values(CASES).map((one) => {
  const headers: Readonly<Record<string, string>> = one.headers;
  const fields = [headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature']];
  return [...fields, one.body, one.secret]
    .map((text) => (text === undefined ? '-' : `=${Buffer.from(text).toString('base64')}`))
    .join(' ');
});

/**
 * How the code of one language is run: beside a program that prints a line of `genuine`, `refused`
 * or `no secret` for each line.
 */
interface Language {
  readonly file: string;
  readonly program: readonly [name: string, text: string];
  readonly commands: readonly (readonly string[])[];
  readonly needs: readonly string[];
}

/** Reads the lines, in whatever place the code is. */
const NODE = (path: string) => `
import { readFileSync } from 'node:fs';
const { isGenuine } = await import(${JSON.stringify(path)});
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
  const texts = line.split(' ').map((text) => (text === '-' ? undefined : Buffer.from(text.slice(1), 'base64')));
  const headers = Object.fromEntries(names.flatMap((name, i) => (texts[i] ? [[name, String(texts[i])]] : [])));
  try {
    console.log((await isGenuine(headers, texts[3], String(texts[4]))) ? 'genuine' : 'refused');
  } catch (error) {
    console.log(/secret/i.test(error.message) ? 'no secret' : error.stack);
  }
}`;

const LANGUAGES: readonly Language[] = [
  ...['node.mjs', 'node-library.mjs'].map(
    (file): Language => ({
      file,
      // Where the package finds itself by its name.
      program: ['main.mjs', NODE(join(CODE, file))],
      commands: [[process.execPath, 'main.mjs']],
      needs: [process.execPath, '--version'],
    }),
  ),
  {
    file: 'verify.py',
    program: [
      'main.py',
      `
import base64, sys
from verify import is_genuine
names = ("webhook-id", "webhook-timestamp", "webhook-signature")
for line in sys.stdin:
    texts = [None if text == "-" else base64.b64decode(text[1:]) for text in line.split()]
    headers = {name: text.decode() for name, text in zip(names, texts) if text is not None}
    try:
        print("genuine" if is_genuine(headers, texts[3], texts[4].decode()) else "refused")
    except ValueError:
        print("no secret")
`,
    ],
    commands: [['python3', '-B', 'main.py']],
    needs: ['python3', '--version'],
  },
  {
    file: 'verify.php',
    program: [
      'main.php',
      `<?php
require 'verify.php';
error_reporting(E_ALL);
set_error_handler(function ($level, $message) { throw new ErrorException($message); });
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    $texts = array_map(fn ($text) => $text === '-' ? null : base64_decode(substr($text, 1)), explode(' ', $line));
    $headers = array_filter(array_combine(['webhook-id', 'webhook-timestamp', 'webhook-signature'], array_slice($texts, 0, 3)), fn ($text) => $text !== null);
    try {
        echo isGenuine($headers, $texts[3], $texts[4]) ? 'genuine' : 'refused', "\\n";
    } catch (RuntimeException $error) {
        echo "no secret\\n";
    }
}`,
    ],
    commands: [['php', 'main.php']],
    needs: ['php', '--version'],
  },
  {
    file: 'Verify.java',
    program: [
      'Main.java',
      `
import java.util.*;
public class Main {
  static String text(String field) { return field.equals("-") ? null : new String(Base64.getDecoder().decode(field.substring(1)), java.nio.charset.StandardCharsets.UTF_8); }
  public static void main(String[] args) throws Exception {
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] fields = lines.nextLine().split(" ");
      Map<String, String> headers = new HashMap<>();
      String[] names = {"webhook-id", "webhook-timestamp", "webhook-signature"};
      for (int i = 0; i < 3; i++) headers.put(names[i], text(fields[i]));
      try {
        System.out.println(Verify.isGenuine(headers::get, Base64.getDecoder().decode(fields[3].substring(1)), text(fields[4])) ? "genuine" : "refused");
      } catch (IllegalArgumentException | IllegalStateException error) {
        System.out.println("no secret");
      }
    }
  }
}`,
    ],
    commands: [
      ['javac', '-Xlint:all', '-Werror', 'Verify.java', 'Main.java'],
      ['java', '-cp', '.', 'Main'],
    ],
    needs: ['javac', '-version'],
  },
  {
    file: 'verify.go',
    program: [
      'main.go',
      `package main
import ("bufio"; "encoding/base64"; "fmt"; "net/http"; "os"; "strings")
func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), " ")
		texts := make([]string, len(fields))
		header := http.Header{}
		for i, field := range fields {
			if field == "-" { continue }
			text, err := base64.StdEncoding.DecodeString(field[1:])
			if err != nil { panic(err) }
			texts[i] = string(text)
			if i < 3 { header.Set([]string{"webhook-id", "webhook-timestamp", "webhook-signature"}[i], texts[i]) }
		}
		genuine, err := IsGenuine(header, []byte(texts[3]), texts[4])
		if err != nil { fmt.Println("no secret") } else if genuine { fmt.Println("genuine") } else { fmt.Println("refused") }
	}
}`,
    ],
    commands: [['go', 'run', 'main.go', 'verify.go']],
    needs: ['go', 'version'],
  },
  {
    file: 'verify.rb',
    program: [
      'main.rb',
      `
require_relative "verify"
STDIN.each_line(chomp: true) do |line|
  texts = line.split(" ").map { |text| text == "-" ? nil : text[1..].unpack1("m0").force_encoding("UTF-8") }
  headers = %w[webhook-id webhook-timestamp webhook-signature].zip(texts).to_h.compact
  puts genuine?(headers, texts[3], texts[4]) ? "genuine" : "refused"
rescue ArgumentError
  puts "no secret"
end`,
    ],
    commands: [['ruby', '-w', 'main.rb']],
    needs: ['ruby', '--version'],
  },
  {
    file: 'Verify.cs',
    program: [
      'Main.cs',
      `
using System; using System.Text;
static class MainProgram {
  static string Text(string field) => field == "-" ? null : Encoding.UTF8.GetString(Convert.FromBase64String(field.Substring(1)));
  static void Main() {
    for (string line; (line = Console.ReadLine()) != null; ) {
      var fields = line.Split(' ');
      var names = new[] { "webhook-id", "webhook-timestamp", "webhook-signature" };
      try {
        var genuine = Verify.IsGenuine(name => Text(fields[Array.IndexOf(names, name)]), Convert.FromBase64String(fields[3].Substring(1)), Text(fields[4]));
        Console.WriteLine(genuine ? "genuine" : "refused");
      } catch (Exception error) when (error is FormatException || error is InvalidOperationException) {
        Console.WriteLine("no secret");
      }
    }
  }
}`,
    ],
    // Mono runs what .NET runs.
    commands: [
      ['mcs', '-warnaserror', '-r:System.Core.dll', '-out:main.exe', 'Main.cs', 'Verify.cs'],
      ['mono', 'main.exe'],
    ],
    needs: ['mcs', '--version'],
  },
];

/** Runs the code beside its program, and returns what that prints. */
function outcomesOf({ file, program: [name, text], commands }: Language): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'recipient-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(CODE, file), join(folder, file));
  writeFileSync(join(folder, name), text);
  // A program in Go is one package.
  if (file.endsWith('.go')) {
    writeFileSync(
      join(folder, file),
      readFileSync(join(CODE, file), 'utf8').replace('package webhook', 'package main'),
    );
  }
  const env = {
    ...process.env,
    GOCACHE: join(folder, 'cache'),
    GOPATH: join(folder, 'path'),
    GO111MODULE: 'off',
  };
  let output = '';
  for (const [command = '', ...args] of commands) {
    const run = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env,
      input: `${LINES.join('\n')}\n`,
    });
    expect([command, run.status, run.stderr]).toEqual([command, 0, '']);
    output = run.stdout;
  }
  return output.trim().split('\n');
}

describe('the code for recipients', () => {
  const expected = Object.entries(CASES).map(([name, { is }]) => `${name}: ${is}`);

  for (const language of LANGUAGES) {
    const {
      file,
      needs: [command = '', ...args],
    } = language;
    const isInstalled = spawnSync(command, args).status === 0 || process.env.REQUIRE_SERVICES === '1';
    const title = `in ${file} believes what is genuine, and nothing else`;
    it.runIf(isInstalled)(
      isInstalled ? title : `${title} (skipped: ${command} is not installed)`,
      { timeout: 240_000 },
      () => {
        const outcomes = outcomesOf(language);
        expect(Object.keys(CASES).map((name, i) => `${name}: ${outcomes[i]}`)).toEqual(expected);
      },
    );
  }

  it('is tested in each language that it is shown in', () => {
    expect(readdirSync(CODE).sort()).toEqual(LANGUAGES.map(({ file }) => file).sort());
  });
});
