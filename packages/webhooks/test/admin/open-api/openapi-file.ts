import { openApiDocument } from '../../../src/admin/open-api/open-api-document.ts';
import type { OpenApiDocument } from '../../../src/admin/routes/route.ts';
import { ROUTES } from '../../../src/admin/routes/routes.ts';
import { memoryStorage } from '../../../src/storage/memory-storage.ts';
import { createWebhooks } from '../../../src/webhooks.ts';

/** The document that the package ships: the default base path, the built-in events. */
export const OPENAPI_FILE: URL = new URL('../../../openapi.json', import.meta.url);

/** What belongs into that file. */
export function shippedDocument(): OpenApiDocument {
  return openApiDocument(ROUTES, '/api/admin/webhooks', createWebhooks({ storage: memoryStorage() }));
}

export function textOf(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
