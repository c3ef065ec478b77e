import { Anchor } from '@mantine/core';
import { pageDocument } from '../texts/page-document.ts';
import { uiTexts } from './ui-texts.ts';

const supportUrl = pageDocument?.getElementById('root')?.dataset.supportUrl;

/** Where somebody who is stuck finds help; nothing if the host names no place. */
export function SupportLink() {
  if (supportUrl === undefined) return null;
  return (
    <Anchor href={supportUrl} size="sm" c="dimmed" td="underline">
      {uiTexts.contact}
    </Anchor>
  );
}
