import { authErrorHandler, claimsOf, guarded, requireAuth } from '@acme/auth/fetch';
import { auth } from '../../../../lib/auth.js';
import { webhooks } from '../../../../lib/webhooks.js';

export const POST = guarded([authErrorHandler(), requireAuth(auth)], async (request) => {
  await webhooks.dispatch('order.created', { id: 7, by: claimsOf(request).uid });
  return new Response(null, { status: 201 });
});
