import { writeFileSync } from 'node:fs';
import { OPENAPI_FILE, shippedDocument, textOf } from './openapi-file.ts';
import { PANEL_TYPES_FILE, panelTypes } from './panel-types.ts';

// node --import tsx packages/webhooks/test/admin/open-api/write-openapi.ts
writeFileSync(OPENAPI_FILE, textOf(shippedDocument()));
writeFileSync(PANEL_TYPES_FILE, await panelTypes());
