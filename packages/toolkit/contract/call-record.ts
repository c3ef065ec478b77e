import assert from 'node:assert/strict';
import { lackOf, type ServiceInterface } from '../src/service-interface.ts';

/** What a case of a contract has called, for the message of its failure. */
export class CallRecord<Service extends object> {
  readonly #wanted: ServiceInterface<Service, unknown>;
  readonly #called = new Set<string>();

  constructor(wanted: ServiceInterface<Service, unknown>) {
    this.#wanted = wanted;
  }

  /**
   * The same service, whose calls are recorded. A call of a method that it lacks fails with a list
   * of all that it lacks: the cases that need none of them say what they say.
   */
  of<Given extends Service>(name: string, service: Given): Given {
    const lack = lackOf(name, service, this.#wanted);
    // Over an object of its own: a frozen service would not let its methods be replaced.
    return new Proxy(Object.create(null), {
      get: (_, key) => {
        const isLacking =
          Object.hasOwn(this.#wanted.methods, key) && typeof Reflect.get(service, key) !== 'function';
        return isLacking ? () => assert.fail(lack) : this.#recorded(service, key);
      },
    });
  }

  /** Says which methods to look at, the one called last at the end. */
  advice(): string {
    const { name } = this.#wanted;
    if (this.#called.size === 0) return `The case had not called a method of ${name} yet.`;
    return `See what the comments of ${name} promise. The case called, in this order: ${[...this.#called].join(', ')}.`;
  }

  #recorded(service: object, key: string | symbol): unknown {
    const member: unknown = Reflect.get(service, key);
    if (typeof member !== 'function') return member;
    return (...args: unknown[]) => {
      this.#called.delete(String(key));
      this.#called.add(String(key));
      return Reflect.apply(member, service, args);
    };
  }
}
