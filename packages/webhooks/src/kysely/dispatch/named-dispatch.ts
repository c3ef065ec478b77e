import { drawDispatchId } from '../../storage/delivery-ids.ts';
import type { DispatchRecord } from '../../storage/delivery-requests.ts';

/** A dispatch that has an id. */
export type NamedDispatch = DispatchRecord & { readonly id: string };

/** Gives an id to a dispatch that came without one. */
export function namedDispatch(dispatch: DispatchRecord): NamedDispatch {
  return { ...dispatch, id: dispatch.id ?? drawDispatchId() };
}
