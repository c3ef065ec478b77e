import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTALL_MS, type StartedExample, startExample } from './started-example.ts';

const CONTRACTS_MS = 120_000;

describe('the example bring-your-own', () => {
  let example: StartedExample;
  beforeAll(async () => {
    example = await startExample('bring-your-own');
  }, INSTALL_MS);
  afterAll(() => example?.remove());

  it('delivers what it dispatches to a recipient that verifies, and ends', async () => {
    const { send, output } = example;
    await expect.poll(output).toContain('Verified order.created {"id":1}');
    expect((await send('POST', '/recipient', { body: { type: 'order.created' } })).status).toBe(401);
    expect((await send('POST', '/orders')).status).toBe(201);
    await expect.poll(output).toContain('Verified order.created {"id":7}');
    await example.end();
  });

  it('has a storage and a queue that keep every promise', { timeout: CONTRACTS_MS }, async () => {
    const { stdout } = await promisify(execFile)('npm', ['test'], { cwd: example.folder });
    // The default reporter differs by release of Node.
    const [, passed = '0'] = /^[#ℹ] pass (\d+)$/m.exec(stdout) ?? [];
    expect(Number(passed), stdout).toBeGreaterThan(150);
    expect(stdout).toMatch(/^[#ℹ] fail 0$/m);
  });
});
