import { createNotifier, type Notifier, type TellHook } from '../../hooks/notifier.ts';
import type { Logger } from '../../logging/logger.ts';
import type {
  LoginEvent,
  LoginFailedEvent,
  ReuseDetectedEvent,
  SessionAnomalyEvent,
  SessionRevokedEvent,
  ThrottledEvent,
} from './session-events.ts';

/** The event of each hook of sessions. */
interface SessionEvents {
  onLogin: LoginEvent;
  onLoginFailed: LoginFailedEvent;
  onThrottled: ThrottledEvent;
  onSessionRevoked: SessionRevokedEvent;
  onReuseDetected: ReuseDetectedEvent;
  onSessionAnomaly: SessionAnomalyEvent;
}

export const SESSION_HOOKS = [
  'onLogin',
  'onLoginFailed',
  'onThrottled',
  'onSessionRevoked',
  'onReuseDetected',
  'onSessionAnomaly',
] as const satisfies readonly (keyof SessionEvents)[];

/** The hooks as a host gives them. */
export type SessionHookOptions = {
  readonly [Hook in keyof SessionEvents]?: ((event: SessionEvents[Hook]) => unknown) | undefined;
};

/** The hooks as sessions call them: never throwing, never waiting. Those of no host are absent. */
export type SessionHooks = Pick<Notifier, 'idle'> & {
  readonly [Hook in keyof SessionEvents]: TellHook<SessionEvents[Hook]> | undefined;
};

export function createSessionHooks(options: SessionHookOptions, logger: Logger): SessionHooks {
  const notifier = createNotifier(logger);
  const hook = <Name extends keyof SessionEvents>(name: Name) => {
    const call: SessionHookOptions[Name] = options[name];
    // On the options, which may be an object with methods.
    return notifier.hook<SessionEvents[Name]>(
      name,
      call && ((event) => Reflect.apply(call, options, [event])),
    );
  };
  return {
    onLogin: hook('onLogin'),
    onLoginFailed: hook('onLoginFailed'),
    onThrottled: hook('onThrottled'),
    onSessionRevoked: hook('onSessionRevoked'),
    onReuseDetected: hook('onReuseDetected'),
    onSessionAnomaly: hook('onSessionAnomaly'),
    idle: () => notifier.idle(),
  };
}
