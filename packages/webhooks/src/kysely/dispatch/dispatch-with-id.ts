import { generateDispatchId } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';

/** A dispatch that has an id. */
export type DispatchWithId = DispatchRecord & { readonly id: string };

/** The dispatch with an id: its own, or a new one. */
export function withDispatchId(dispatch: DispatchRecord): DispatchWithId {
  return { ...dispatch, id: dispatch.id ?? generateDispatchId() };
}
