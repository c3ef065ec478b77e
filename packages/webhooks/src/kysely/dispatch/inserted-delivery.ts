/** A delivery that a dispatch has written. */
export interface InsertedDelivery {
  readonly webhookId: number;
  readonly deliveryId: string;
}
