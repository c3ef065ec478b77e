import { generateSecret, sign, verify } from '@acme/webhooks/signing';

declare const request: Request;
declare const secret: string;

{
  //#region generateSecret
  const secret = generateSecret(); // whsec_…
  //#endregion
}

{
  //#region sign
  const signature = await sign({ secret, id: 'delivery-7', timestamp: 1_795_528_896, body: '{}' });
  //#endregion
}

{
  //#region verify
  const event = await verify({ secret, headers: request.headers, body: await request.text() });
  console.log(event.id, event.type, event.data);
  //#endregion
}
