import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';

/** What the page and the owner of its frame say to each other. */
const SOURCE = 'acme-webhooks';

/**
 * Tells the page that frames this one its height and its place, and goes where that page says.
 * Messages go to the allowed origins alone, and only theirs are heard.
 *
 * @param embeddedBy the allowed origins, and `self`; null for a page that is in no frame
 */
export function useFrameOwner(embeddedBy: readonly string[] | null): void {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const route = search === '' ? path : `${path}?${search}`;

  useEffect(() => tell(embeddedBy, { type: 'route', route }), [embeddedBy, route]);

  useEffect(() => {
    if (embeddedBy === null) return;
    document.documentElement.dataset.embedded = '';
    const height = new ResizeObserver(() => {
      tell(embeddedBy, { type: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) });
    });
    height.observe(document.body);
    // The pages do not wait for it, and most are in no frame.
    void import('./sight.ts').then(({ watchSight }) => watchSight());
    const hear = ({ data, origin, source }: MessageEvent): void => {
      if (source !== parent || !originsOf(embeddedBy).includes(origin)) return;
      const to = data?.source === SOURCE && data.type === 'navigate' ? data.route : undefined;
      if (isRoute(to)) navigate(to);
    };
    addEventListener('message', hear);
    return () => {
      height.disconnect();
      removeEventListener('message', hear);
    };
  }, [embeddedBy, navigate]);
}

/** True for a path, with or without a query, that stays below the base path as it is written. */
function isRoute(to: unknown): to is string {
  if (typeof to !== 'string' || !/^\/(?![/\\])/.test(to) || /%2e/i.test(to)) return false;
  const { pathname, search } = new URL(to, location.origin);
  return pathname + search === to;
}

/** Tells the page around this one, if it is of an allowed origin. */
export function tell(embeddedBy: readonly string[] | null, message: object): void {
  if (embeddedBy === null || parent === window) return;
  const [owner] = location.ancestorOrigins ?? [];
  for (const origin of originsOf(embeddedBy)) {
    // A browser reports each message to an origin that the owner is not of.
    if (owner === undefined || owner === origin) parent.postMessage({ source: SOURCE, ...message }, origin);
  }
}

function originsOf(embeddedBy: readonly string[]): readonly string[] {
  return embeddedBy.map((origin) => (origin === 'self' ? location.origin : origin));
}
