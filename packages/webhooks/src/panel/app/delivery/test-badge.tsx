import { Badge } from '@mantine/core';
import { catalogTexts } from '../catalog/catalog-texts.ts';

/** Marks a delivery that an administrator sent as a test. */
export function TestBadge() {
  return (
    <Badge size="sm" variant="default" flex="none">
      {catalogTexts.isTest}
    </Badge>
  );
}
