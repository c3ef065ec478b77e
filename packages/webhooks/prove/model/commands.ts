import fc from 'fast-check';
import { letFail, liveThrough, OUTAGE_STEPS } from './outage-happenings.ts';
import type { Answer } from './worker.ts';
import type { Event, Tenant, World } from './world.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Something that happens: fast-check shrinks sequences of these. */
class Command<Argument> implements fc.AsyncCommand<World, World> {
  readonly #name: string;
  readonly #argument: Argument;
  readonly #happening: Happening<Argument>;

  constructor(name: string, argument: Argument, happening: Happening<Argument>) {
    this.#name = name;
    this.#argument = argument;
    this.#happening = happening;
  }

  check(world: Readonly<World>): boolean {
    return this.#happening.isPossible?.(world, this.#argument) ?? true;
  }

  async run(world: World): Promise<void> {
    await this.#happening.run(world, this.#argument);
    await world.verify();
  }

  toString(): string {
    return `${this.#name}(${JSON.stringify(this.#argument) ?? ''})`;
  }
}

interface Happening<Argument> {
  isPossible?(world: Readonly<World>, argument: Argument): boolean;
  run(world: World, argument: Argument): void | Promise<void>;
}

function command<Argument>(
  name: string,
  argument: fc.Arbitrary<Argument>,
  happening: Happening<Argument>,
): fc.Arbitrary<fc.AsyncCommand<World, World>> {
  return argument.map((value) => new Command(name, value, happening));
}

const nothing = fc.constant(undefined);
const index = fc.nat({ max: 20 });
const process = fc.nat({ max: 1 });
const events = fc.constantFrom(['*'], ['a.*'], ['b.x'], ['a.x', 'b.*']);
const ANSWERS: readonly Answer[] = [
  'success',
  'success',
  'success',
  'failure',
  'busy',
  'refused',
  'timeout',
  'blocked',
];
const answer = fc.constantFrom(...ANSWERS);
const tenant = fc.constantFrom<Tenant[]>('', 'acme', 'Acme');
const event: fc.Arbitrary<Event> = fc.record({
  name: fc.constantFrom('a.x', 'b.x'),
  key: fc.option(fc.constantFrom('k', 'l'), { nil: undefined, freq: 2 }),
  webhook: fc.option(fc.nat({ max: 5 }), { nil: undefined, freq: 2 }),
  tenant,
  only: fc.boolean(),
});
const group = fc.array(event, { minLength: 1, maxLength: 5 });
const MAX_WEBHOOKS = 6;
/** Dispatches to everybody, more than the webhooks that a claim has to go round. */
const BACKLOG = 8;
const MAX_DELIVERIES = 150;

const hasRoom = ({ reference }: Readonly<World>) => reference.deliveries.size < MAX_DELIVERIES;
const hasWebhook = ({ reference }: Readonly<World>) => reference.webhooks.size > 0;
const hasDelivery = ({ reference }: Readonly<World>) => reference.deliveries.size > 0;

const dispatch = command('dispatch', group, { isPossible: hasRoom, run: (world, of) => world.dispatch(of) });
const poll = command('poll', process, { run: (world, of) => world.workers[of]?.poll() });
const answerOne = command('answer', fc.tuple(process, index, answer), {
  isPossible: (world, [of]) => (world.workers[of]?.requests.length ?? 0) > 0,
  run(world, [of, request, how]) {
    const worker = world.workers[of];
    if (worker) world.answer(worker, request, how);
  },
});
const answerAll = command('answer all', fc.tuple(process, answer), {
  isPossible: (world, [of]) => (world.workers[of]?.requests.length ?? 0) > 0,
  run(world, [of, how]) {
    for (const request of [...(world.workers[of]?.requests ?? [])]) request.answer(how);
  },
});
const pass = command(
  'pass',
  fc.constantFrom(3 * SECOND_MS, 20 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 60 * MINUTE_MS),
  {
    run: (world, ms) => world.pass(ms),
  },
);

const outage = command(
  'outage',
  fc.tuple(process, fc.array(fc.constantFrom(...OUTAGE_STEPS), { maxLength: 12, size: 'max' })),
  {
    isPossible: (world) => world.isFollowed && hasRoom(world) && hasWebhook(world),
    run: (world, [of, steps]) => liveThrough(world, of, steps),
  },
);
const look = command('look', fc.constantFrom<number[][]>([0], [1], [0, 1]), {
  isPossible: ({ isFollowed }) => isFollowed,
  run: (world, of) => world.look(world.workers.filter((_, process) => of.includes(process))),
});

/** What may happen, the most frequent things several times. */
export const happenings: readonly fc.Arbitrary<fc.AsyncCommand<World, World>>[] = [
  command('create', fc.tuple(events, fc.oneof(fc.constant<Tenant>(''), tenant)), {
    isPossible: ({ reference }) => reference.webhooks.size < MAX_WEBHOOKS,
    run: (world, [of, whose]) => world.createWebhook(of, whose),
  }),
  dispatch,
  dispatch,
  poll,
  poll,
  poll,
  answerOne,
  answerOne,
  answerAll,
  answerAll,
  pass,
  pass,
  command('poll both', nothing, {
    run(world) {
      for (const worker of world.workers) worker.poll();
    },
  }),
  command('serve a backlog', process, {
    isPossible: (world) => hasRoom(world) && hasWebhook(world),
    async run(world, of) {
      for (let n = 0; n < BACKLOG; n++)
        await world.dispatch([{ name: 'a.x', key: undefined, webhook: undefined }]);
      for (let served = 0; served < 2 * BACKLOG; served++) {
        world.workers[of]?.poll();
        await world.verify();
        // One slot at a time comes free, of the attempt that is under way longest.
        world.workers[of]?.requests[0]?.answer('success');
        await world.verify();
      }
    },
  }),
  command('let fail', process, {
    isPossible: hasDelivery,
    run: (world, of) => letFail(world, of),
  }),
  outage,
  outage,
  look,
  command('dispatch in a transaction', fc.tuple(group, fc.boolean()), {
    isPossible: (world) => hasRoom(world) && world.under.inTransaction !== undefined,
    run: (world, [of, isCommitted]) => world.dispatchInTransaction(of, isCommitted),
  }),
  command('dispatch again', nothing, { run: (world) => world.repeatDispatches() }),
  command('change events', fc.tuple(index, events), {
    isPossible: hasWebhook,
    async run(world, [of, to]) {
      const webhook = world.webhookAt(of);
      if (webhook) await world.change(webhook, { events: to });
    },
  }),
  command('activate or pause', fc.tuple(index, fc.boolean()), {
    isPossible: hasWebhook,
    async run(world, [of, isActive]) {
      const webhook = world.webhookAt(of);
      if (webhook) await world.change(webhook, { isActive });
    },
  }),
  command('rotate', index, {
    isPossible: hasWebhook,
    async run(world, of) {
      const webhook = world.webhookAt(of);
      if (webhook) await world.rotate(webhook);
    },
  }),
  command('remove', index, {
    isPossible: hasWebhook,
    async run(world, of) {
      const webhook = world.webhookAt(of);
      if (webhook) await world.remove(webhook);
    },
  }),
  command('remove tenant', fc.constantFrom<Tenant[]>('acme', 'Acme'), {
    run: (world, whose) => world.removeTenant(whose),
  }),
  command('vanish', process, { run: (world, of) => world.vanish(of) }),
  command('answer one that vanished', fc.tuple(index, index, answer), {
    isPossible: ({ vanished }) => vanished.some(({ requests }) => requests.length > 0),
    run(world, [of, request, how]) {
      const left = world.vanished.filter(({ requests }) => requests.length > 0);
      const worker = left[of % left.length];
      if (worker) world.answer(worker, request, how);
    },
  }),
  command('set the clock back', fc.constantFrom(5 * SECOND_MS, 2 * MINUTE_MS, 60 * MINUTE_MS), {
    isPossible: ({ under, isFollowed }) => under.pass === undefined && !isFollowed,
    run: (world, ms) => world.pass(-ms),
  }),
  command('redeliver', index, {
    isPossible: hasDelivery,
    async run(world, of) {
      const delivery = world.deliveryAt(of);
      if (delivery) await world.redeliver(delivery);
    },
  }),
  command('recover', fc.constantFrom(1, 3, 100), { run: (world, limit) => world.recover(limit) }),
  command('purge', fc.tuple(index, fc.constantFrom(1, 5, 100)), {
    isPossible: hasDelivery,
    async run(world, [of, limit]) {
      const boundary = world.deliveryAt(of);
      if (boundary) await world.purge(boundary.createdAt, limit);
    },
  }),
  command('expire', fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(1, 5, 100)), {
    async run(world, [hours, limit]) {
      for (let hour = 0; hour < hours; hour++) {
        await world.pass(60 * MINUTE_MS);
        for (const worker of world.workers) worker.poll();
        await world.verify();
      }
      await world.pass(60 * MINUTE_MS);
      await world.expire(hours, limit);
    },
  }),
  command('purge keys', index, {
    isPossible: hasDelivery,
    async run(world, of) {
      const boundary = world.deliveryAt(of);
      if (boundary) await world.purgeKeys(boundary.createdAt);
    },
  }),
];
