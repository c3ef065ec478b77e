import { WebhookError } from '../errors.ts';
import { type EventCatalog, isForTenants, type KnownEvent } from '../events/catalog.ts';
import { patternsMatching } from '../events/pattern.ts';
import { isTenant, TENANT_BOUNDS } from '../events/tenant.ts';
import type { Logger } from '../logging/logger.ts';
import type { DispatchRecord } from '../storage/delivery-requests.ts';
import type { SubscriberTarget } from '../storage/subscriber-target.ts';

/** Whose event it is, and which webhooks it reaches. */
type Target = Pick<DispatchRecord, 'tenant'> & { readonly target: SubscriberTarget };

/** @throws WebhookError `invalid_options` */
export type TargetOf = (
  event: string,
  options: { readonly tenant?: unknown; readonly only?: unknown },
) => Target;

/** How many events an engine warns of, each once: a host may make up their names. */
const MAX_WARNED_EVENTS = 100;

const NOT_FOR_TENANTS =
  "an event was dispatched for a tenant, but is not for tenants: defineEvents takes audience: 'tenant'";

/**
 * Decides whom an event reaches. A storage looks for the tenants that this names and for no others,
 * so nothing has to be left out afterwards: an event that is not for tenants names none.
 */
export function createTargets(deps: {
  readonly events: EventCatalog;
  /** The events that there are, if a catalog says so: others are warned about, not refused. */
  readonly knownEvents?: readonly KnownEvent[] | undefined;
  readonly requiresTenant: boolean;
  readonly logger: Logger;
}): TargetOf {
  const { events, requiresTenant, logger } = deps;
  const known = deps.knownEvents && new Set(deps.knownEvents.map(({ name }) => name));
  const warned = new Set<string>();

  function warnOf(event: string, fields: () => object, message: string): void {
    if (warned.has(event) || warned.size === MAX_WARNED_EVENTS) return;
    warned.add(event);
    logger.warn({ event, ...fields() }, message);
  }

  return (event, { tenant, only }) => {
    if (only !== undefined && (only !== 'tenant' || tenant === undefined || tenant === null)) {
      throw invalid("only must be 'tenant', and needs a tenant");
    }
    if (tenant === undefined && requiresTenant) {
      throw invalid("A tenant is required (createWebhooks has tenants: 'required'): name one, or give null");
    }
    if (known?.has(event) === false) {
      const nearest = () => ({ nearest: nearestName(event, known) });
      warnOf(event, nearest, 'an event was dispatched that the catalog does not have');
    }
    const patterns = patternsMatching(event);
    if (tenant === undefined || tenant === null) return { target: { patterns, tenants: [''] } };
    if (!isTenant(tenant)) throw invalid(`A tenant is text of ${TENANT_BOUNDS}`);
    const isForThem = isForTenants(events, event);
    if (!isForThem) warnOf(event, () => ({ tenant }), NOT_FOR_TENANTS);
    const tenants = [...(only === undefined ? [''] : []), ...(isForThem ? [tenant] : [])];
    return { tenant, target: { patterns, tenants } };
  };
}

function invalid(message: string): WebhookError {
  return new WebhookError('invalid_options', message);
}

/** The name that takes the fewest changed, added or removed characters to become `text`. */
function nearestName(text: string, names: Iterable<string>): string | undefined {
  const [nearest] = [...names]
    .map((name) => ({ name, distance: distanceOf(text, name) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
}

/** Levenshtein's distance, a row of the matrix at a time. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let column = 0; column < to.length; column += 1) {
      const [left = 0, diagonal = 0, above = 0] = [next[column], row[column], row[column + 1]];
      next.push(Math.min(left + 1, above + 1, diagonal + (to[column] === letter ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
