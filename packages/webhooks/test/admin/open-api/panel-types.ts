import openapiTS, { astToString } from 'openapi-typescript';
import { openApiDocument } from '../../../src/admin/open-api/open-api-document.ts';
import { ROUTES } from '../../../src/admin/routes/routes.ts';

/** The types of the panel's API client. */
export const PANEL_TYPES_FILE: URL = new URL('../../../src/panel/app/api/api-document.ts', import.meta.url);

const HEADER = `\
// The admin API's OpenAPI document as types, its paths relative to the API's own. Written by
// test/admin/open-api/write-openapi.ts: do not edit.

`;

/** What belongs into that file. The pages receive no callbacks, so it has none. */
export async function panelTypes(): Promise<string> {
  const document = openApiDocument(ROUTES, '', { events: [], eventSchemas: () => ({}) });
  const nodes = await openapiTS(JSON.stringify(document), { immutable: true });
  return `${HEADER}${astToString(nodes)}`;
}
