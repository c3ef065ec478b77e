import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = readFileSync(`${root}docs/threat-model.md`, 'utf8');
const rows = [...text.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)].filter(([, threat]) => threat !== 'threat');

describe('the threat model', () => {
  it.each(rows.map(([, threat = '', , shown = '']) => [threat, shown]))('has a test for: %s', (_, shown) => {
    const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !/^test\/.+\.test\.ts$/.test(file) || !existsSync(root + file))).toEqual(
      [],
    );
  });

  it('has rows, and says what is not defended', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(text).toContain('\n## What is not defended\n');
  });
});
