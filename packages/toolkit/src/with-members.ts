/**
 * The same object with other members in place of its own.
 *
 * It may be an instance of a host's class: what stands on its prototype is kept, which a spread
 * loses, and its methods run on the instance, so that they reach its private members. It is still
 * an instance of that class.
 */
export function withMembers<Given extends object>(given: Given, members: Partial<Given>): Given {
  return new Proxy(Object.create(null), {
    get(_, key) {
      if (Object.hasOwn(members, key)) return Reflect.get(members, key);
      const member: unknown = Reflect.get(given, key);
      return typeof member === 'function' ? member.bind(given) : member;
    },
    set: (_, key, value) => Reflect.set(given, key, value),
    has: (_, key) => Reflect.has(given, key),
    getPrototypeOf: () => Reflect.getPrototypeOf(given),
  });
}
