import { type PgBossInstance, pgBossQueue } from '@acme/webhooks/pg-boss';

declare const boss: PgBossInstance; // your own, started

{
  //#region pgBossQueue
  const queue = pgBossQueue({ boss });
  //#endregion
}
