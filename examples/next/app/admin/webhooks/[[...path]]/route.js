import { createAdminPanel } from '@acme/webhooks/admin';

const panel = createAdminPanel({
  apiPath: '/api/admin/webhooks',
  statusUrl: '/api/admin/auth/status',
  loginUrl: '/login',
  logoutUrl: '/api/admin/auth/logout',
  compress: false, // Next compresses
});

export const GET = (request) => panel(request);
