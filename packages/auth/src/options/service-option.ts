import { lackOf, type ServiceInterface } from '../../../toolkit/src/service-interface.ts';

/**
 * Validates an option that is an object with certain methods, and gives it back.
 *
 * @throws TypeError naming the option, the methods that it lacks and their interface
 */
export function serviceOption<Service extends object>(
  name: string,
  value: Service,
  wanted: ServiceInterface<Service, unknown>,
): Service {
  const lack = lackOf(name, value, wanted);
  if (lack !== undefined) throw new TypeError(lack);
  return value;
}
