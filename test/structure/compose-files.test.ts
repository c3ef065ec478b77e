import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EXAMPLES } from '../examples/example-list.ts';
import { repository } from './workspace-package.ts';

interface ComposeFile {
  readonly services: Readonly<
    Record<string, { readonly ports: readonly string[]; readonly healthcheck?: { readonly test: unknown } }>
  >;
}

const folderOf = (name: string) => join(repository, 'examples', name);
const read = (name: string, file: string) => readFileSync(join(folderOf(name), file), 'utf8');
const withServices = EXAMPLES.filter((name) => existsSync(join(folderOf(name), 'compose.yaml')));

it('is there for every example whose README names the address of a service', () => {
  expect(EXAMPLES.filter((name) => addressesIn(read(name, 'README.md')).length > 0)).toEqual(withServices);
});

describe.each(withServices)('the compose file of the example %s', (name) => {
  const { services }: ComposeFile = parse(read(name, 'compose.yaml'));
  const published = Object.entries(services).flatMap(([service, { ports }]) =>
    ports.map((port) => `${service} at ${port.split(':').slice(0, -1).join(':')}`),
  );

  it('publishes what the application and its README use, and nothing else', () => {
    expect(published).not.toEqual([]);
    const modules = readdirSync(folderOf(name)).filter((file) => file.endsWith('.mjs'));
    expect(addressesIn(modules.map((file) => read(name, file)).join('\n'))).toEqual(published);
    expect(addressesIn(read(name, 'README.md'))).toEqual(published);
  });
});

/** The services whose URLs stand in a text, each once: `redis at 127.0.0.1:6379`. */
function addressesIn(text: string): string[] {
  const urls = Array.from(text.matchAll(/\b(?:postgres|redis):\/\/[^\s'`]+/g), ([url]) => new URL(url));
  return [...new Set(urls.map(({ protocol, host }) => `${protocol.replace(':', '')} at ${host}`))];
}
