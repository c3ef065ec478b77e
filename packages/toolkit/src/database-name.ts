/** The databases, by the names that transactions give them. */
export type DatabaseName = 'postgres' | 'mysql' | 'sqlite';
