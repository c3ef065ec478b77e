import { describe } from 'vitest';
import { HONOS_AT_THE_ROOT, HOSTS, ONE_PER_FRAMEWORK } from './hosts.ts';
import { apiContract, clientContract, handlerContract } from './mount-contract.ts';
import { panelContract } from './panel-contract.ts';

describe.each(HOSTS)('the admin API in $name', apiContract);
describe.each([...ONE_PER_FRAMEWORK, ...HONOS_AT_THE_ROOT])('a handler in $name', handlerContract);
describe.each(ONE_PER_FRAMEWORK)('a client of $name', clientContract);
describe.each([...ONE_PER_FRAMEWORK, ...HONOS_AT_THE_ROOT])('the panel in $name', panelContract);
