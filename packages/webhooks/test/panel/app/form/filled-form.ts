import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const URL_OF_HOOK = 'http://127.0.0.1:9/hook';

/** Enters a webhook into the form that is open. */
export async function fillForm(page: Page): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Add webhook' });
  await form.getByRole('textbox', { name: 'URL' }).fill(URL_OF_HOOK);
  await form.getByLabel('Description').fill('Typed with care');
  await form.getByLabel('Only the events I choose').check();
  await form.getByRole('checkbox', { name: /^All role events/ }).check();
}

/** Expects what {@link fillForm} entered. */
export async function expectFormKept(page: Page): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Add webhook' });
  await form.waitFor();
  expect(await form.getByRole('textbox', { name: 'URL' }).inputValue()).toBe(URL_OF_HOOK);
  expect(await form.getByLabel('Description').inputValue()).toBe('Typed with care');
  await form.getByRole('button', { name: 'Remove role.*' }).waitFor();
}
