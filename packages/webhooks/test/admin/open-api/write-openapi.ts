import { writeFileSync } from 'node:fs';
import { OPENAPI_FILE, shippedDocument, textOf } from './openapi-file.ts';

// node --import tsx packages/webhooks/test/admin/open-api/write-openapi.ts
writeFileSync(OPENAPI_FILE, textOf(shippedDocument()));
