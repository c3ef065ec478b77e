import { createPages } from './pages.ts';
import { type AdminPanelOptions, panelSettings } from './panel-options.ts';

/** The admin panel as a Web fetch handler with the path that it serves. */
export interface AdminPanel {
  /** @param native what `authorize` receives besides: `mount` gives the framework's own request */
  (request: Request, native?: unknown): Promise<Response>;
  readonly basePath: string;
}

/**
 * Creates the pages through which administrators manage webhooks: a list at `basePath`, one
 * webhook with its history at `basePath/:id`, the deliveries of all webhooks at
 * `basePath/deliveries`, the events at `basePath/events`, and one event at `basePath/events/:name`.
 * With `loginEndpoint` there is a log-in page, too, at `basePath/login`. They are built into this
 * package and need only the API at `apiPath`.
 *
 * The pages carry no data. They load files from and send requests to this origin only, under a
 * Content-Security-Policy without any `unsafe-` keyword. Files have hashed names and may be cached
 * forever; pages are never stored. The handler answers GET and HEAD only, and redirects a trailing
 * slash away.
 *
 * ```ts
 * app.use(mount(createAdminPanel({ apiPath: '/api/admin/webhooks', loginEndpoint: '/api/admin/auth/login' })));
 * ```
 *
 * @throws TypeError for an option that is missing, unknown or malformed
 */
export function createAdminPanel(options: AdminPanelOptions): AdminPanel {
  return createPages(panelSettings(options));
}
