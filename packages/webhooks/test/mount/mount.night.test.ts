import { describe } from 'vitest';
import { HOSTS, ONE_PER_OTHER, OTHER_HOSTS } from './hosts.ts';
import { apiContract, clientContract, handlerContract } from './mount-contract.ts';
import { panelContract } from './panel-contract.ts';

describe.each(OTHER_HOSTS)('the admin API in $name', apiContract);
describe.each(ONE_PER_OTHER)('a handler in $name', handlerContract);
describe.each(ONE_PER_OTHER.filter(({ name }) => /^Express|^Hono 4 on Node /.test(name)))(
  'a client of $name',
  clientContract,
);
// In the newest releases, too: the other ways.
describe.each([...HOSTS, ...OTHER_HOSTS])('the panel in $name', panelContract);
