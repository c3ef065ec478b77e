/** The few methods of a `PgBoss` that the queue needs; those of pg-boss 10, 11 and 12 fit. */
export interface PgBossInstance {
  createQueue(name: string, options: { name: string; policy: 'short'; retryLimit: number }): Promise<unknown>;
  getQueue(name: string): Promise<unknown>;
  send(name: string, data: object, options: object): Promise<unknown>;
  fetch(name: string, options: { batchSize: number }): Promise<readonly PgBossJob[]>;
  deleteJob(name: string, id: string): Promise<unknown>;
}

/** A job that a worker has taken. */
interface PgBossJob {
  readonly id: string;
  readonly data: unknown;
}
