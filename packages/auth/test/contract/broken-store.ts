/** A store that breaks one promise. */
export interface BrokenStore<Store> {
  readonly fault: string;
  /** Part of the name of the case that is there to notice. */
  readonly noticedBy: string;
  create(): Store;
}

/** Makes stores that break one promise each; everything else is that of `createSound`. */
export function breakerOf<Store>(createSound: () => Store) {
  return (
    fault: string,
    noticedBy: string,
    breakOne: (sound: Store) => Partial<Store>,
  ): BrokenStore<Store> => ({
    fault,
    noticedBy,
    create() {
      const sound = createSound();
      return { ...sound, ...breakOne(sound) };
    },
  });
}
