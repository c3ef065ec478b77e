import { mountSessions } from '@acme/auth/fetch';
import { sessions } from '../../../../../lib/auth.js';

const handler = mountSessions(sessions)(() => new Response(null, { status: 404 }));

export { handler as DELETE, handler as GET, handler as POST };
