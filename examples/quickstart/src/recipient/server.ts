import { serve } from '../processes/serve.ts';
import { readSettings } from '../processes/settings.ts';
import { runProcess } from '../processes/start-error.ts';
import { createRecipient } from './recipient.ts';

/** The process of the recipient. Of the application, it knows only the secrets that it is given. */
await runProcess(async () => {
  await serve({
    app: createRecipient(),
    port: readSettings(process.env).recipientPort,
    portVariable: 'RECIPIENT_PORT',
    close: async () => undefined,
  });
});
