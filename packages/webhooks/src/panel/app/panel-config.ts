/** What the server wrote into the document for the app. */
export interface PanelConfig {
  /** Where the pages are, such as `/admin/webhooks`. */
  readonly basePath: string;
  /** Where the API is, such as `/api/admin/webhooks`. */
  readonly apiPath: string;
  /** Renews the session when a POST goes there; null: there is no such thing. */
  readonly statusUrl: string | null;
  /** Where to log in; null: unknown. */
  readonly loginUrl: string | null;
}

/** Reads the attributes of the root element. */
export function readPanelConfig(root: HTMLElement): PanelConfig {
  const { basePath = '', apiPath = '', statusUrl, loginUrl } = root.dataset;
  return { basePath, apiPath, statusUrl: statusUrl ?? null, loginUrl: loginUrl ?? null };
}
