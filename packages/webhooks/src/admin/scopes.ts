/** The only scope of the admin API. It is compared byte for byte: `admin` does not imply it. */
export const ADMIN_SCOPE = 'admin:webhooks';

/** What the user of an API needs to look, and to change. The scope to change lets the user look. */
export interface ApiScopes {
  readonly read: string;
  readonly change: string;
}

export const ADMIN_SCOPES: ApiScopes = { read: ADMIN_SCOPE, change: ADMIN_SCOPE };
