import { sql } from 'kysely';

/** Written into statements as text: a plan made before parameters are known can use an index on pending rows alone. */
export const PENDING = sql.lit('pending' as const);
