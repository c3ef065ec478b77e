import type { BuiltInEventName, EventCatalog } from '../events/catalog.ts';
import type { AnyPayload, EventName, EventPayload } from '../events/typed-catalog.ts';
import type { DispatchOptions, DispatchResult } from './dispatcher.ts';

interface OpenDispatch<Transaction> {
  dispatch(
    event: string,
    payload?: AnyPayload,
    options?: DispatchOptions<Transaction>,
  ): Promise<DispatchResult>;
}

interface CatalogDispatch<Transaction, Catalog extends EventCatalog, BuiltIn extends BuiltInEventName> {
  dispatch<Event extends EventName<Catalog, BuiltIn>>(
    event: Event,
    payload: EventPayload<Catalog, Event>,
    options?: DispatchOptions<Transaction>,
  ): Promise<DispatchResult>;
}

/**
 * `dispatch` as a catalog types it; any name and any object without one.
 *
 * Both are methods, and the open one is not generic: a typed engine then fits a parameter of the
 * open type, because parameters of methods compare in both directions. Its arguments are still
 * checked at run time.
 */
export type TypedDispatch<
  Transaction,
  Catalog extends EventCatalog,
  BuiltIn extends BuiltInEventName = BuiltInEventName,
> = (string extends keyof Catalog
  ? OpenDispatch<Transaction>
  : CatalogDispatch<Transaction, Catalog, BuiltIn>)['dispatch'];
