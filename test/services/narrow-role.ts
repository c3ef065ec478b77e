import { serverDialectAt } from './server-databases.ts';
import { mysqlStatement, postgresStatement, uniqueName } from './servers.ts';
import { openable, type TestDatabase } from './test-database.ts';

/** A role of a server, and the database as that role reaches it. */
export interface NarrowRole extends TestDatabase {
  /** As a statement names it. */
  readonly role: string;
  /** The schema or the database of the tables. */
  readonly place: string;
  /** Takes away what lets it connect, so that it has nothing at all. */
  strip(): Promise<void>;
  /** Gives the role these privileges on all tables that are there, such as `select, insert`. */
  grant(privileges: string): Promise<void>;
  /** Gives the role these privileges on one table. */
  grantOn(table: string, privileges: string): Promise<void>;
}

/** A role that may connect to a test's database, and nothing else until it is granted. */
export async function createNarrowRole({ url }: TestDatabase): Promise<NarrowRole> {
  const role = uniqueName('narrow');
  const own = new URL(url);
  own.username = role;
  const isPostgres = own.protocol.startsWith('postgres');
  if (isPostgres) {
    const schema = /search_path=(\w+)/.exec(own.searchParams.get('options') ?? '')?.[1];
    await postgresStatement(`create role ${role} login; grant usage on schema ${schema} to ${role}`);
    const database = openable(own.href, serverDialectAt(own.href), () =>
      postgresStatement(`drop owned by ${role}; drop role ${role}`),
    );
    const strip = () => postgresStatement(`revoke usage on schema ${schema} from ${role}`);
    const grant = (privileges: string) =>
      postgresStatement(`grant ${privileges} on all tables in schema ${schema} to ${role}`);
    const grantOn = (table: string, privileges: string) =>
      postgresStatement(`grant ${privileges} on ${schema}.${table} to ${role}`);
    return { ...database, role, place: String(schema), strip, grant, grantOn };
  }
  const name = own.pathname.slice(1);
  await mysqlStatement(`create user ${role}@'%'`);
  // Without a privilege, the server would not even let it into the database.
  await mysqlStatement(`grant lock tables on ${name}.* to ${role}@'%'`);
  const database = openable(own.href, serverDialectAt(own.href), () =>
    mysqlStatement(`drop user ${role}@'%'`),
  );
  const strip = () => mysqlStatement(`revoke lock tables on ${name}.* from ${role}@'%'`);
  const grant = (privileges: string) => mysqlStatement(`grant ${privileges} on ${name}.* to ${role}@'%'`);
  const grantOn = (table: string, privileges: string) =>
    mysqlStatement(`grant ${privileges} on ${name}.${table} to ${role}@'%'`);
  return { ...database, role: `${role}@'%'`, place: name, strip, grant, grantOn };
}
