import { describe, expectTypeOf, it } from 'vitest';
import type { ApiAnswer, ApiRequest, PathOf } from '../../../../src/panel/app/api/api-operation.ts';

/** Checked by `tsc`: each `@ts-expect-error` fails the type check when the error is gone. */

const id = 7;

describe('a request of the panel', () => {
  it('goes to a path that the document has for its method', () => {
    expectTypeOf<'' | '/{id}/rotate-secret'>().toExtend<PathOf<'POST'>>();
    expectTypeOf<'/events'>().not.toExtend<PathOf<'POST'>>();
    expectTypeOf<'/event'>().not.toExtend<PathOf<'GET'>>();
  });

  it('has every parameter of the path, and the query’s own names and values', () => {
    const read: ApiRequest<'GET', '/{id}/deliveries'> = { params: { id }, query: { status: 'failed' } };
    const unfiltered: ApiRequest<'GET', '/{id}/deliveries'> = { params: { id }, query: { status: '' } };
    // @ts-expect-error: an id is missing
    const nowhere: ApiRequest<'GET', '/{id}/deliveries'> = {};
    // @ts-expect-error: no such status
    const misspelt: ApiRequest<'GET', '/{id}/deliveries'> = { params: { id }, query: { status: 'done' } };
    // @ts-expect-error: no such parameter
    const unknown: ApiRequest<'GET', '/{id}/deliveries'> = { params: { id }, query: { sort: 'id' } };
    // @ts-expect-error: an event is required
    const unasked: ApiRequest<'GET', '/explain'> = { query: { limit: 10 } };
    void [read, unfiltered, nowhere, misspelt, unknown, unasked];
  });

  it('has the body that the operation takes, and none where it takes none', () => {
    const create: ApiRequest<'POST', ''> = { body: { url: 'https://hooks.example.com' } };
    const optional: ApiRequest<'POST', '/{id}/rotate-secret'> = { params: { id } };
    // @ts-expect-error: a URL is missing
    const partial: ApiRequest<'POST', ''> = { body: { description: 'Billing' } };
    // @ts-expect-error: a read has no body
    const read: ApiRequest<'GET', '/events'> = { body: {} };
    void [create, optional, partial, read];
  });

  it('names the expected state only where the operation looks at it', () => {
    const expectedUpdatedAt = '2026-11-20T04:10:00.123Z';
    const put: ApiRequest<'PUT', '/{id}'> = { params: { id }, body: {}, expectedUpdatedAt };
    // @ts-expect-error: a test event is sent whatever the state
    const post: ApiRequest<'POST', '/{id}/test'> = { params: { id }, expectedUpdatedAt };
    void [put, post];
  });

  it('is answered as the document says, with nothing where there is no body', () => {
    expectTypeOf<ApiAnswer<'GET', '/{id}'>>().toHaveProperty('stats');
    expectTypeOf<ApiAnswer<'POST', ''>['secret']>().toEqualTypeOf<string>();
    expectTypeOf<ApiAnswer<'DELETE', '/{id}'>>().toEqualTypeOf<undefined>();
  });
});
