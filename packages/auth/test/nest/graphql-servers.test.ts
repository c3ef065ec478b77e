import { graphqlContract } from './graphql-contract.ts';
import { apolloOnExpress } from './graphql-server.ts';

graphqlContract('Apollo over Express', apolloOnExpress);
