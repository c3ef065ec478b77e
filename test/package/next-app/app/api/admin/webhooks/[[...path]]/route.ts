import { createAdminApi } from '@acme/webhooks/admin';
import { auth } from '../../../../../lib/auth';
import { webhooks } from '../../../../../lib/webhooks';

const api = createAdminApi(webhooks, { authorize: (request) => auth.authenticate(request) });
const answer = (request: Request) => api(request);

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
