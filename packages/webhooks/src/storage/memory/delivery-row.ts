import type { DeliveryPlace } from '../delivery-requests.ts';
import type { Delivery, DeliverySummary } from '../records.ts';
import type { RETRY_TURN_DELAY_MS } from '../turn.ts';
import { compareText } from '../webhook-page.ts';

/** A delivery as it is kept: its record, replaced as a whole at every change, and what nobody is shown. */
export interface DeliveryRow {
  readonly id: number;
  readonly webhookId: number;
  delivery: Delivery;
  /** How many attempts were made before the current series. */
  seriesStart: number;
  /** When it is due, ms since the epoch; read while it is pending. */
  dueMs: number;
  /** Its place among those that are due: when it is due, or {@link RETRY_TURN_DELAY_MS} later. */
  turnMs: number;
  /** The last claim that brought no result yet. */
  claim: { readonly token: string; readonly lockedUntil: number } | undefined;
  /** Of the last claim that brought one: its result may be offered again. */
  recordedToken: string | undefined;
  /** Its webhook's activation when the claim was made by whose result it ended; read once it has ended. */
  activation: number;
}

export function byCreation(a: DeliveryRow, b: DeliveryRow): number {
  return byPlace(a.delivery, b.delivery);
}

export function byPlace(a: DeliveryPlace, b: DeliveryPlace): number {
  return compareText(a.createdAt, b.createdAt) || a.id - b.id;
}

/** For those that have ended. */
export function byEnd(a: DeliveryRow, b: DeliveryRow): number {
  return compareText(a.delivery.completedAt ?? '', b.delivery.completedAt ?? '') || a.id - b.id;
}

export function summaryOf({ payload, attemptLog, ...summary }: Delivery): DeliverySummary {
  return summary;
}
