import { CallRecord } from '../../../toolkit/contract/call-record.ts';
import { withAdvice } from '../../../toolkit/contract/with-advice.ts';
import { objectOption } from '../../../toolkit/src/options.ts';
import type { ServiceInterface } from '../../../toolkit/src/service-interface.ts';
import { withMembers } from '../../../toolkit/src/with-members.ts';
import type { StoreUnderTest } from './store-harness.ts';

/** A case of a contract, for any test runner: `test(name, run)`. */
export interface StoreContractCase {
  /** A sentence in the present tense. */
  readonly name: string;
  /**
   * Rejects with an `AssertionError` if the promise is broken, and with the store's error if
   * it fails. The message names the promise and the methods called, or those that are missing.
   */
  run(): Promise<void>;
}

export interface StoreContractOptions {
  /**
   * `createStore` gives a `secondProcess`: races then run over both connections. Default: false.
   */
  readonly hasSecondProcess?: boolean;
}

/** One promise of a store's interface, as a program. */
export interface HarnessCase<Harness> {
  readonly name: string;
  /** Means something only if there is a second connection. */
  readonly needsSecondProcess?: boolean;
  run(harness: Harness): Promise<void>;
}

/** The cases of a topic, by name. */
export type HarnessCases<Harness> = Readonly<
  Record<string, HarnessCase<Harness>['run'] | Omit<HarnessCase<Harness>, 'name'>>
>;

/** Gives the cases of a contract for the stores that `createStore` makes. */
export type StoreContract<Store> = (
  createStore: () => Promise<StoreUnderTest<Store>>,
  options?: StoreContractOptions,
) => readonly StoreContractCase[];

/**
 * Returns the cases of a contract's topics. Each run of a case makes a store and its harness, and
 * closes the store.
 */
export function storeContractCases<Store extends object, Harness>(
  contract: {
    readonly wanted: ServiceInterface<Store, unknown>;
    readonly Harness: new (underTest: StoreUnderTest<Store>) => Harness;
    readonly topics: readonly HarnessCases<Harness>[];
  },
  ...[createStore, options = {}]: Parameters<StoreContract<Store>>
): readonly StoreContractCase[] {
  const { wanted, Harness, topics } = contract;
  if (typeof createStore !== 'function') throw new TypeError('createStore must be a function');
  objectOption('options', options);
  const { hasSecondProcess = false } = options;
  return topics
    .flatMap((cases) => Object.entries(cases).map(([name, given]) => namedCase(name, given)))
    .filter(({ needsSecondProcess = false }) => hasSecondProcess || !needsSecondProcess)
    .map((harnessCase) => ({
      name: harnessCase.name,
      async run() {
        const underTest = await createStore();
        try {
          const calls = new CallRecord(wanted);
          await withAdvice(
            harnessCase,
            () => calls.advice(),
            () => harnessCase.run(new Harness(recorded(underTest, calls))),
          );
        } finally {
          await underTest.close();
        }
      },
    }));
}

function namedCase<Harness>(name: string, given: HarnessCases<Harness>[string]): HarnessCase<Harness> {
  return typeof given === 'function' ? { name, run: given } : { name, ...given };
}

function recorded<Store extends object>(
  underTest: StoreUnderTest<Store>,
  calls: CallRecord<Store>,
): StoreUnderTest<Store> {
  const { store, secondProcess } = underTest;
  return withMembers<StoreUnderTest<Store>>(underTest, {
    store: calls.of('store', store),
    ...(secondProcess !== undefined && { secondProcess: calls.of('secondProcess', secondProcess) }),
  });
}
