import { describe, expect, it } from 'vitest';
import type { ServiceInterface } from '../src/service-interface.ts';

interface Door {
  open(): void;
  close(): void;
}

describe('the list of the methods of an interface', () => {
  it('does not compile if it lacks a method, or names one that is optional or unknown', () => {
    interface Window extends Door {
      readonly width: number;
      tilt?(): void;
    }
    const complete: ServiceInterface<Window> = { name: 'Window', methods: { open: true, close: true } };
    expect(Object.keys(complete.methods)).toEqual(['open', 'close']);
    // @ts-expect-error: `close` is missing
    const lacking: ServiceInterface<Door>['methods'] = { open: true };
    // @ts-expect-error: `tilt` is optional
    const optional: ServiceInterface<Window>['methods'] = { open: true, close: true, tilt: true };
    // @ts-expect-error: `width` is no method
    const property: ServiceInterface<Window>['methods'] = { open: true, close: true, width: true };
    expect([lacking, optional, property]).toHaveLength(3);
  });
});
