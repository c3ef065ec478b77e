import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, it, onTestFinished } from 'vitest';
import { OPENAPI_FILE } from '../admin/openapi-file.ts';

const records = fileURLToPath(new URL('../../src/panel/app/api/records.ts', import.meta.url));

/** The app's records, all of which the API's document describes under the same name. */
const NAMES = [
  ...[
    'Activity',
    'Attempt',
    'Delivery',
    'DeliveryCounts',
    'DeliveryPage',
    'DeliveryReceipt',
    'DeliveryStatus',
  ],
  ...['DeliverySummary', 'ExplainedWebhook', 'Explanation', 'KnownEvent', 'ListedWebhook', 'Recovery'],
  ...['Webhook', 'WebhookDetail', 'WebhookPage', 'WebhookWithSecret'],
];

/** What the compiler says of a file that takes each schema of the document for the record of the same name. */
async function errorsOf(lines: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'api-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const schema = astToString(await openapiTS(OPENAPI_FILE));
  writeFileSync(join(folder, 'schema.ts'), schema);
  const proof = join(folder, 'proof.ts');
  const head = [
    "import type { components } from './schema.ts';",
    `import type * as app from '${records}';`,
    "declare const wire: components['schemas'];",
  ];
  writeFileSync(proof, [...head, ...lines].join('\n'));
  const program = ts.createProgram([proof], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('the app reads what the API’s document promises, and sends what it takes', {
  timeout: 60_000,
}, async () => {
  const read = NAMES.map((name) => `export const read${name}: app.${name} = wire.${name};`);
  const sent =
    "export const sent = (input: app.WebhookInput): Omit<components['schemas']['CreateWebhook'], 'events'> => input;";
  expect(await errorsOf([...read, sent])).toEqual([]);
  const wrong = 'export const wrong: app.WebhookDetail = wire.Webhook;';
  expect(await errorsOf([wrong])).toEqual([expect.stringContaining("Property 'stats' is missing")]);
});
