import { readFileSync, writeFileSync } from 'node:fs';

// node --import tsx .ci/write-versions.ts: what repeats the packages' versions, after `changeset version` has raised them.
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const write = (path: string, text: string) => writeFileSync(new URL(`../${path}`, import.meta.url), text);

const versions: Record<string, string> = {};
for (const folder of ['packages/auth', 'packages/webhooks']) {
  const { name, version }: { name: string; version: string } = JSON.parse(read(`${folder}/package.json`));
  versions[name] = version;
}

// The READMEs in the tarballs link to the site, whose address the first release fills in.
const site = 'site/site-url.ts';
const [, from = ''] = /SITE_URL = '([^']*)'/.exec(read(site)) ?? [];
const { SITE_URL: to = from } = process.env;
if (to.endsWith('.example'))
  throw new Error('SITE_URL is not set: the address of the site, such as https://…');
for (const path of [site, 'packages/auth/README.md', 'packages/webhooks/README.md']) {
  write(path, read(path).replaceAll(from, to));
}

const constant = 'packages/webhooks/src/version.ts';
write(constant, read(constant).replace(/VERSION = '[^']*'/, `VERSION = '${versions['@acme/webhooks']}'`));

// The lock file links workspaces whose version is the one that is asked for.
const example = 'examples/quickstart/package.json';
const manifest: { dependencies: Record<string, string> } = JSON.parse(read(example));
Object.assign(manifest.dependencies, versions);
write(example, `${JSON.stringify(manifest, null, 2)}\n`);

// Reads the constant, so it comes after it.
await import('../packages/webhooks/test/admin/open-api/write-openapi.ts');
