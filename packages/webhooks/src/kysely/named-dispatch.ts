import { drawDispatchId } from '../storage/delivery-ids.ts';
import type { DispatchRecord } from '../storage/delivery-requests.ts';

/** A dispatch that has an id. */
export type NamedDispatch = DispatchRecord & { readonly id: string };

/** Gives an id to a dispatch that came without one. */
export function namedDispatch(dispatch: DispatchRecord): NamedDispatch {
  // The engine's has one, and a copy takes time.
  return hasId(dispatch) ? dispatch : { ...dispatch, id: drawDispatchId() };
}

function hasId(dispatch: DispatchRecord): dispatch is NamedDispatch {
  return dispatch.id !== undefined;
}
