import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { words } from '../../../../toolkit/test/words.ts';
import { PROBLEMS } from '../../../src/admin/admin-problem.ts';
import { documentation, documented } from '../../../src/admin/open-api/documentation.ts';
import { problemsOf } from '../../../src/admin/open-api/open-api-problems.ts';
import { ROUTES } from '../../../src/admin/routes/routes.ts';
import { createDeliveryHeaders } from '../../../src/signing/delivery-headers.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../../src/webhooks.ts';
import { ADMIN, HOOK_URL, startAdmin } from '../admin-harness.ts';
import { everyRequest } from '../routes/every-request.ts';
import { OPENAPI_FILE, shippedDocument } from './openapi-file.ts';

const BASE = '/api/admin/webhooks';

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON and fail where it differs.
type Json = any;

function ajvOf(document: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.addSchema(document, 'document');
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, the shipped one and one with events of a host', async () => {
    const { call } = startAdmin({ webhooks: shopEngine() });
    const { json } = await call('GET', '/openapi.json');
    for (const document of [shippedDocument(), json]) {
      const validator = new Validator();
      expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
      expect(validator.version).toBe('3.1');
    }
  });

  it('describes a schema where it is described, and nowhere else that it stands', () => {
    const count = z.int();
    const described = documented(count, { description: 'How many.' });
    expect(documentation.get(described)?.description).toBe('How many.');
    expect(documentation.get(count)).toBeUndefined();
  });

  it('is shipped as the routes are now (write-openapi.ts writes it)', () => {
    expect(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'))).toEqual(shippedDocument());
  });

  it('closes what is sent and leaves open what is answered, for members that later versions add', () => {
    const { components, paths }: Json = shippedDocument();
    const isClosed = ([, schema]: [string, unknown]) =>
      JSON.stringify(schema).includes('"additionalProperties":false');
    const closed = Object.entries(components.schemas).filter(isClosed);
    expect(closed.map(([name]) => name).sort()).toEqual(
      words(`
      ChangeWebhooks CreateWebhook Recover RedeliverMany RotateSecret TestEvent UpdateWebhook
    `),
    );
    for (const [, schema] of closed) expect(schema).toMatchObject({ additionalProperties: false });
    const ajv = ajvOf(shippedDocument());
    const refs = [
      ...JSON.stringify([paths, components.responses]).matchAll(/"\$ref":"(#\/components\/schemas\/(\w+))"/g),
    ];
    const answers = refs.filter(([, , name = '']) => !closed.some(([other]) => other === name));
    expect(new Set(answers.map(([, , name]) => name)).size).toBeGreaterThan(8);
    for (const [, pointer, name = ''] of answers) {
      const [example] = components.schemas[name].examples ?? [];
      if (example === undefined || typeof example !== 'object') continue;
      const validate = ajv.compile({ $ref: `document${pointer}` });
      expect([name, validate({ ...example, added_later: { x: 1 } })]).toEqual([name, true]);
    }
  });

  it('is answered to an administrator of webhooks, at the base path of the API', async () => {
    const { call } = startAdmin({ basePath: '/v2/hooks' });
    const { status, json } = await call('GET', '!/v2/hooks/openapi.json');
    expect(status).toBe(200);
    const paths = Object.keys(shippedDocument().paths as object);
    expect(Object.keys(json.paths)).toEqual(paths.map((path) => path.replace(BASE, '/v2/hooks')));
    expect((await call('GET', '!/v2/hooks/openapi.json', { actor: null })).status).toBe(401);
  });

  it('has an operation for each route, with its scope, and no other', () => {
    const { paths }: Json = shippedDocument();
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Json).map(([method, operation]: Json) => ({
        name: operation.operationId,
        method: method.toUpperCase(),
        path: path.slice(BASE.length),
        scopes: operation.security,
      })),
    );
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const scopes = ['cookie', 'bearer'].map((scheme) => ({ [scheme]: ['admin:webhooks'] }));
    const expected = ROUTES.map(({ name, method, path }) => ({ name, method, path, scopes }));
    expect(operations.sort(byName)).toEqual(expected.sort(byName));
  });

  it('describes every operation, parameter and field in words', () => {
    const silent: string[] = [];
    const look = (value: Json, at: string) => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, member] of Object.entries<Json>(value)) look(member, `${at}/${key}`);
      const isDescribed = typeof value.description === 'string' && value.description.length > 1;
      if ('operationId' in value && !(isDescribed && value.summary)) silent.push(at);
      if ('in' in value && 'schema' in value && !isDescribed) silent.push(at);
    };
    const { paths, components }: Json = shippedDocument();
    look(paths, '');
    look(components.parameters, '/parameters');
    for (const [name, schema] of Object.entries<Json>(components.schemas)) {
      if (!schema.description) silent.push(name);
    }
    expect(silent).toEqual([]);
  });

  it('has examples that fit their schemas', () => {
    const document: Json = shippedDocument();
    const ajv = ajvOf(document);
    let count = 0;
    const look = (value: Json, pointer: string) => {
      if (typeof value !== 'object' || value === null) return;
      if (Array.isArray(value.examples)) {
        const validate = ajv.compile({ $ref: `document#${pointer}` });
        for (const example of value.examples) {
          count += 1;
          expect(validate(example), `${pointer}: ${ajv.errorsText(validate.errors)}`).toBe(true);
        }
      }
      for (const [key, member] of Object.entries(value)) {
        if (key === 'examples') continue;
        look(member, `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
      }
    };
    look(document, '');
    expect(count).toBeGreaterThan(30);
  });

  it('names every code that the API answers', () => {
    const declared = new Set(ROUTES.flatMap(problemsOf));
    // Of methods that no operation has.
    declared.add('method_not_allowed');
    expect([...declared].sort()).toEqual(Object.keys(PROBLEMS).sort());
  });

  it('refuses a body as the API does, and accepts one as it does', async () => {
    const { call } = startAdmin();
    await call('POST', '', { body: { url: HOOK_URL } });
    const ajv = ajvOf(shippedDocument());
    for (const [path, name, bodies] of [
      ['POST ', 'CreateWebhook', [{ url: HOOK_URL }, {}, { url: 7 }, { url: HOOK_URL, events: [] }]],
      [
        'POST ',
        'CreateWebhook',
        [
          { url: HOOK_URL, events: ['a'] },
          { url: HOOK_URL, secret: 'x' },
        ],
      ],
      [
        'POST ',
        'CreateWebhook',
        [{ url: HOOK_URL, events: ['a.*', '*', 'a.b'], description: '', is_active: false }],
      ],
      ['PUT /1', 'UpdateWebhook', [{}, { events: ['*.a'] }, { is_active: 1 }, { url: '' }, { id: 1 }]],
      [
        'POST ',
        'CreateWebhook',
        [
          { url: 'https://hooks.example.com/größe?straße=ä' },
          { url: 'https://bücher.example/in' },
          { url: 'https://hooks.example.com/a|b/{tenant}/%zz' },
        ],
      ],
      ['PUT /1', 'UpdateWebhook', [{ url: 'https://bücher.example/größe' }]],
      [
        'POST /1/recover',
        'Recover',
        [{}, { since: '2026-11-20T04:00:00Z' }, { since: 1 }, { dry_run: true }],
      ],
    ] as const) {
      const [method = '', target = ''] = path.split(' ');
      const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
      for (const body of bodies) {
        const { status } = await call(method, target, { body });
        expect([body, validate(body)]).toEqual([body, status < 300]);
      }
    }
  });
});

describe('the callbacks of the document', () => {
  it('are those of every known event, with the payload schemas of the host', async () => {
    const { call } = startAdmin({ webhooks: shopEngine() });
    const { json } = await call('GET', '/openapi.json');
    const { json: known } = await call('GET', '/events');
    expect(Object.keys(json.webhooks)).toEqual(known.events.map(({ name }: { name: string }) => name));
    const ajv = ajvOf(json);
    const pointer = `document#/webhooks/${encodeURIComponent('order.created')}/post/requestBody`;
    const validate = ajv.compile({ $ref: `${pointer}/content/application~1json/schema` });
    const callback = (data: object) => ({
      type: 'order.created',
      timestamp: '2026-11-20T04:10:00.123Z',
      data,
    });
    const lines = [{ id: 'a', parts: [{ id: 'b', parts: [] }] }];
    expect(validate(callback({ id: 7, lines }))).toBe(true);
    expect(validate(callback({ id: '7', lines }))).toBe(false);
    expect(validate(callback({ id: 7, lines: [{ id: 'a', parts: [{ id: 8, parts: [] }] }] }))).toBe(false);
    expect(validate({ ...callback({ id: 7, lines }), type: 'order.deleted' })).toBe(false);
  });

  it('have the headers that a delivery has', () => {
    const { components }: Json = shippedDocument();
    const ajv = ajvOf(shippedDocument());
    const input = {
      secret: `whsec_${'A'.repeat(32)}`,
      deliveryId: '5f0c3a4b6d7e8f90123456789abcdef0',
      event: 'user.created',
      createdAtSeconds: 1_763_612_000,
      attemptAtSeconds: 1_763_612_030,
      attempt: 2,
      body: '{}',
      userAgent: 'x',
    };
    const sent = (previousSecret: string | undefined, standardHeaders: boolean) => {
      const {
        Accept: _,
        'Content-Type': __,
        'User-Agent': ___,
        ...headers
      } = createDeliveryHeaders({
        ...input,
        previousSecret,
        isTest: previousSecret !== undefined,
        standardHeaders,
      });
      return headers;
    };
    const all = sent(`whsec_${'B'.repeat(32)}`, true);
    const documented = Object.values<Json>(components.parameters);
    expect(documented.map(({ name }) => name).sort()).toEqual(Object.keys(all).sort());
    const required = documented.filter((header) => header.required).map(({ name }) => name);
    expect(required.sort()).toEqual(Object.keys(sent(undefined, false)).sort());
    for (const headers of [all, sent(undefined, true)]) {
      for (const [name, value] of Object.entries(headers)) {
        const validate = ajv.compile({ $ref: `document#/components/parameters/${name}/schema` });
        expect(validate(value), name).toBe(true);
      }
    }
  });
});

describe('every route', () => {
  it('answers as the document says to a request that it accepts', async () => {
    const { call, webhooks } = startAdmin();
    await webhooks.create({ url: HOOK_URL });
    const { deliveryId } = await webhooks.test(1);
    const statuses: Record<string, number> = {};
    for (const { name, method, path, body } of everyRequest(deliveryId)) {
      // The harness compares the whole answer; here it is seen that each was really reached.
      statuses[name] = (await call(method, path, body === undefined ? {} : { body })).status;
    }
    const expected = Object.fromEntries(ROUTES.map(({ name, success }) => [name, success]));
    // The delivery has not ended: its own tests send one again that has.
    expect(statuses).toEqual({ ...expected, redeliver: 409 });
  });

  it('is refused alike without an actor, and with one that lacks the scope', async () => {
    const { call } = startAdmin();
    for (const { method, path, body } of everyRequest('0123456789abcdef0123456789abcdef')) {
      const options = body === undefined ? {} : { body };
      expect((await call(method, path, { ...options, actor: null })).status).toBe(401);
      const weak = { ...ADMIN, scopes: ['admin'] };
      expect((await call(method, path, { ...options, actor: weak })).status).toBe(403);
    }
  });
});

/** An engine with an event whose payload has a schema that refers to itself. */
function shopEngine() {
  const part = z.object({
    id: z.string(),
    get parts() {
      return z.array(part);
    },
  });
  return createWebhooks({
    storage: memoryStorage(),
    events: {
      'order.created': { label: 'Order placed', payload: z.object({ id: z.int(), lines: z.array(part) }) },
    },
  });
}
