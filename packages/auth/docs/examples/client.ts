import { betweenPolls, goToLogin, readReturnTo, startStatusPoll } from '@acme/auth/client';

{
  //#region betweenPolls
  const response = await betweenPolls('/api/admin/auth/status', () =>
    fetch('/api/admin/auth/logout', { method: 'POST' }),
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
  const next = readReturnTo('/admin', '?return_to=%2Fadmin%2Fusers'); // /admin/users
  //#endregion
}

{
  //#region startStatusPoll
  const poll = startStatusPoll({
    url: '/api/admin/auth/status',
    onRevoked: () => goToLogin('/login'),
  });
  //#endregion
}
