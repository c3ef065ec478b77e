import { AssertionError } from 'node:assert';
import { expect, test } from 'vitest';

/** A store of which a method breaks a promise. */
export type Break<Store> = (sound: Store) => Partial<Store>;
/** What breaks each promise: keyed by a part of the name of the case that is there to notice. */
export type Breaks<Store> = Readonly<Record<string, Break<Store>>>;

type Asked<Method> = Method extends (request: infer Request, ...rest: never[]) => unknown ? Request : never;
type Answer<Method> = Method extends (...given: never[]) => Promise<infer Answered> ? Answered : never;

/** Two short forms of a break: to ask a method for something else, and to answer something else. */
export function breaking<Store extends { [Name in keyof Store]: unknown }>() {
  const call = (sound: Store, method: keyof Store, given: readonly unknown[]) => {
    const called = sound[method];
    if (typeof called !== 'function') throw new TypeError(`There is no method ${String(method)}`);
    return Reflect.apply(called, sound, given);
  };

  return {
    ask:
      <M extends keyof Store>(
        method: M,
        change: (request: Asked<Store[M]>) => Asked<Store[M]>,
      ): Break<Store> =>
      (sound) => ({
        ...sound,
        [method]: (request: Asked<Store[M]>, ...rest: unknown[]) =>
          call(sound, method, [change(request), ...rest]),
      }),
    answer:
      <M extends keyof Store>(
        method: M,
        change: (answer: Answer<Store[M]>, request: Asked<Store[M]>) => Answer<Store[M]>,
      ): Break<Store> =>
      (sound) => ({
        ...sound,
        [method]: async (request: Asked<Store[M]>, ...rest: unknown[]) =>
          change(await call(sound, method, [request, ...rest]), request),
      }),
  };
}

interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** The names of the cases that fail. */
export async function failuresOf(cases: readonly ContractCase[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) {
    await run().catch((error: unknown) => {
      // Anything else would be a fault of the break itself.
      expect(error, name).toBeInstanceOf(AssertionError);
      failed.push(name);
    });
  }
  return failed;
}

/** Tests that a contract fails each break, in the one case that is there to notice. */
export function testBreaks<Store extends object>(
  breaks: Breaks<Store>,
  createSound: () => Store,
  contract: (create: () => Store) => readonly ContractCase[],
): void {
  test.each(Object.entries(breaks))('notices what breaks “%s”', async (promise, breakOne) => {
    const cases = contract(() => {
      const sound = createSound();
      return { ...sound, ...breakOne(sound) };
    }).filter(({ name }) => name.includes(promise));
    expect(cases).toHaveLength(1);
    expect(await failuresOf(cases)).toHaveLength(1);
  });
}
