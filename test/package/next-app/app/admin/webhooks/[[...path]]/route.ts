import { createAdminPanel } from '@acme/webhooks/admin';

const panel = createAdminPanel({
  apiPath: '/api/admin/webhooks',
  loginEndpoint: '/api/admin/auth/login',
  compress: false, // Next compresses
});
export const GET = (request: Request) => panel(request);
