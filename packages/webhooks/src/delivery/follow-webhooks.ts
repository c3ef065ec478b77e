import { type Backlogs, createBacklogs } from './backlogs.ts';
import { createBusyDeliveries } from './busy-deliveries.ts';
import { createDeactivation, type Deactivation } from './deactivation.ts';
import { createOutages, type Outages } from './outages.ts';

/** What becomes of webhooks whose recipients fail or are busy, and of tenants with a backlog. */
export interface FollowedWebhooks extends Pick<Outages, 'recovering'>, Pick<Backlogs, 'readBacklogs'> {
  /** Looks at all of them, and does what that calls for. Never rejects. */
  followOutages(signal?: AbortSignal): Promise<void>;
  readonly disable: Deactivation;
}

/** @internal */
export function followWebhooks(
  deps: Parameters<typeof createOutages>[0] &
    Omit<Parameters<typeof createDeactivation>[0], 'tellDown'> &
    Omit<Parameters<typeof createBusyDeliveries>[0], 'disable'> &
    Parameters<typeof createBacklogs>[0],
): FollowedWebhooks {
  const outages = createOutages(deps);
  const disable = createDeactivation({ ...deps, tellDown: outages.tellDown });
  const endBusy = createBusyDeliveries({ ...deps, disable });
  const { countBacklogs, readBacklogs } = createBacklogs(deps);
  return {
    disable,
    recovering: outages.recovering,
    readBacklogs,
    async followOutages(signal) {
      await outages.look(signal);
      await endBusy(signal);
      await countBacklogs(signal);
    },
  };
}
