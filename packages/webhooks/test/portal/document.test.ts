import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { routesFor } from '../../src/admin/routes/routes.ts';
import { shippedDocument } from '../admin/open-api/openapi-file.ts';
import { BASE, portalDocument, READER, startPortal } from './portal-harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON and fail where it differs.
type Json = any;

const document: Json = portalDocument();

describe("the OpenAPI document of customers' API", () => {
  it('is answered to users who may look, and is valid', async () => {
    const { call } = startPortal();
    const { status, json } = await call('GET', '/openapi.json', { actor: READER });
    expect(status).toBe(200);
    expect(json).toEqual(document);
    expect(await new Validator().validate(structuredClone(json))).toEqual({ valid: true });
    expect(
      (await startPortal({ basePath: '/hooks' }).call('GET', '!/hooks/openapi.json')).json.paths,
    ).toHaveProperty('/hooks/{id}');
  });

  it('has the operations of customers with the scope that each needs', () => {
    const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, { operationId, security }]) => {
        return [operationId, method.toUpperCase(), path.slice(BASE.length), security];
      }),
    );
    const securityOf = (method: string) => {
      const scope = method === 'GET' ? 'webhooks:read' : 'webhooks';
      return [{ cookie: [scope] }, { bearer: [scope] }];
    };
    expect(operations.sort()).toEqual(
      routesFor('customers')
        .map(({ name, method, path }) => [name, method, path, securityOf(method)])
        .sort(),
    );
  });

  it('has the events for tenants, and no other', () => {
    expect(Object.keys(document.webhooks)).toEqual(['order.paid', 'webhook.test']);
    expect(JSON.stringify(document)).not.toMatch(/fraud|user\.registered/);
  });

  it('says nothing of administrators and the engine, and has a title of its own', () => {
    expect(document.info.title).toBe('Webhooks');
    expect(shippedDocument().info).toMatchObject({ title: 'Webhook administration' });
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/administrat|operator|engine|admin:|created_by|concurrency|audience|"tenant"/i);
    expect(JSON.stringify(shippedDocument())).toMatch(/created_by_name.*concurrency/);
    expect(JSON.stringify(shippedDocument())).not.toContain('audience');
  });

  it('defines every schema that it refers to, and no other', () => {
    const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([\w.]+)"/g)];
    const names = new Set(referred.map(([, name]) => name));
    expect(Object.keys(document.components.schemas).sort()).toEqual([...names].sort());
  });

  it('has examples without what it leaves out, which fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
    let count = 0;
    for (const [name, { examples = [] }] of Object.entries<Json>(document.components.schemas)) {
      const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` });
      for (const example of examples) {
        count += 1;
        expect([name, validate(example), validate.errors]).toEqual([name, true, null]);
      }
    }
    expect(count).toBeGreaterThan(15);
  });
});
