import { createAdminApi } from '@acme/webhooks/admin';
import { auth } from '../../../../../lib/auth.js';
import { webhooks } from '../../../../../lib/webhooks.js';

const api = createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) });
const handler = (request) => api(request);

export { handler as DELETE, handler as GET, handler as POST, handler as PUT };
