import { graphqlContract } from './graphql-contract.ts';
import { apolloOnFastify, mercurius, mercuriusCompiled } from './graphql-server.ts';

graphqlContract('Apollo over Fastify', apolloOnFastify);
graphqlContract('Mercurius', mercurius);
graphqlContract('Mercurius with its compiler', mercuriusCompiled);
