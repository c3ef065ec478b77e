import { betweenPolls, goToLogin, readReturnTo, startStatusPoll } from '@acme/auth/client';

declare function show(uid: string, scopes: readonly string[]): void;
declare const credentials: object;
declare const location: { assign(url: string): void };

{
  //#region betweenPolls
  const response = await betweenPolls('/api/admin/auth/status', () =>
    fetch('/api/admin/auth/login', { method: 'POST', body: JSON.stringify(credentials) }),
  );
  //#endregion
}

{
  //#region goToLogin
  const response = await fetch('/api/admin/users/7', { method: 'DELETE' });
  if (response.status === 401) goToLogin('/login');
  //#endregion
}

{
  //#region readReturnTo
  location.assign(readReturnTo('/admin'));
  //#endregion
}

{
  //#region startStatusPoll
  const poll = startStatusPoll({
    url: '/api/admin/auth/status',
    onRefreshed: ({ uid, scopes }) => show(uid, scopes),
    onRevoked: () => location.assign('/login'),
  });
  //#endregion
}
