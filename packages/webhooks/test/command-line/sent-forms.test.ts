import { expect, it } from 'vitest';
import { sentForms } from '../../src/command-line/sent-forms.ts';

const SENT = '{"type":"order.paid","timestamp":"2026-11-20T04:10:00Z","data":';

/** What it takes the body for. */
function formsOf(body: string): string[] {
  return sentForms(Buffer.from(body)).map((form) => form.toString('utf8'));
}

it.each([
  ['numbers that only JSON.rawJSON writes', '{"total":1.10,"id":8202522731445525542,"e":[1E400,-0]}}'],
  ['numbers within text', '{"a":"1.10 \\"2.0","3.50":-1.5e-7}}'],
])('takes compact JSON for what was sent: %s', (_, data) => {
  expect(formsOf(SENT + data)).toContain(SENT + data);
});

it('finds what was sent in a body that was serialised again', () => {
  const spaced = `${SENT}{"total": 1.10}}`;
  expect(formsOf(spaced)).toContain(`${SENT}{"total":1.10}}`);
  // A parser of another language may have written 1 as 1.0.
  expect(formsOf(`${SENT}{"total":1.0}}`)).toContain(`${SENT}{"total":1}}`);
  expect(formsOf('{"data": 1.10, "type":"a"}')).toContain('{"type":"a","data":1.10}');
});

it('finds nothing in what is no JSON object', () => {
  for (const body of ['', 'null', '{"type":1', `"${'\\'.repeat(50_001)}`]) expect(formsOf(body)).toEqual([]);
});
