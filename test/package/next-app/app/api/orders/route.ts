import { authErrorHandler, claimsOf, guarded, requireAuth } from '@acme/auth/fetch';
import { auth } from '../../../lib/auth';
import { webhooks } from '../../../lib/webhooks';

export const POST = guarded([authErrorHandler(), requireAuth(auth)], async (request) => {
  await webhooks.dispatch('order.created', { by: claimsOf(request).uid });
  return new Response(null, { status: 201 });
});
