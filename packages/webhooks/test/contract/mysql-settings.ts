import { words } from '../../../toolkit/test/words.ts';
import { mysqlServer } from '../kysely/database-servers.ts';

/**
 * Every mode that MySQL and MariaDB share and `start()` does not refuse; strict mode, the default,
 * is off.
 */
const MODES = words(`
  ANSI_QUOTES HIGH_NOT_PRECEDENCE IGNORE_SPACE NO_AUTO_VALUE_ON_ZERO NO_UNSIGNED_SUBTRACTION NO_ZERO_DATE
  NO_ZERO_IN_DATE ONLY_FULL_GROUP_BY PAD_CHAR_TO_FULL_LENGTH PIPES_AS_CONCAT REAL_AS_FLOAT
`);

export const MYSQL_SETTINGS = [
  // Defaults of a database that cannot hold what our columns do: a statement that takes one loses
  // characters.
  mysqlServer('in a database of latin1', { characterSet: 'latin1' }),
  mysqlServer('in a database of utf8mb3 and sessions of every other mode', {
    characterSet: 'utf8mb3',
    onConnect: `set sql_mode = '${MODES}', group_concat_max_len = 4`,
  }),
];
