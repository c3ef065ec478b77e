/** The settings that the server wrote into the document. */
export interface PanelConfig {
  /** The path of the pages, such as `/admin/webhooks`. */
  readonly basePath: string;
  /** The path of the API, such as `/api/admin/webhooks`. */
  readonly apiPath: string;
  /** A POST to it renews the session; null if there is no such endpoint. */
  readonly statusUrl: string | null;
  /** The log-in page; null if unknown. */
  readonly loginUrl: string | null;
  /** A POST to it logs in, from the panel's own log-in page; null if there is no such page. */
  readonly loginEndpoint: string | null;
  /** Whether the pages offer no changes from the start, because the API would refuse them. */
  readonly isReadOnly: boolean;
  /** The host's name for the header, and the paths of its logos; null for none. */
  readonly title: string | null;
  readonly logos: { readonly light: string | null; readonly dark: string | null };
  /** The only colour scheme; null if the visitor chooses. */
  readonly colorScheme: 'light' | 'dark' | null;
  /**
   * Origins, and `self`, whose frames have the pages without their header; null without a frame.
   */
  readonly embeddedBy: readonly string[] | null;
  /** Where the header leads back to; null for none. */
  readonly backUrl: string | null;
  /** A POST to it ends the session; null if there is no such endpoint. */
  readonly logoutUrl: string | null;
}

/** Reads the settings from the attributes of the root element. */
export function readPanelConfig(root: HTMLElement): PanelConfig {
  const {
    basePath = '',
    apiPath = '',
    statusUrl,
    loginUrl,
    loginEndpoint,
    readOnly,
    ...header
  } = root.dataset;
  const { colorScheme } = document.documentElement.dataset;
  return {
    basePath,
    apiPath,
    statusUrl: statusUrl ?? null,
    loginUrl: loginUrl ?? null,
    loginEndpoint: loginEndpoint ?? null,
    isReadOnly: readOnly === 'true',
    title: header.title ?? null,
    logos: { light: header.logoUrl ?? null, dark: header.darkLogoUrl ?? null },
    colorScheme: colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : null,
    embeddedBy: header.embeddedBy?.split(' ') ?? null,
    backUrl: header.backUrl ?? null,
    logoutUrl: header.logoutUrl ?? null,
  };
}
