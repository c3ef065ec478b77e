import { deliveryIdOf } from '@acme/webhooks/storage';

{
  //#region deliveryIdOf
  // In a dispatch, for each webhook that it goes to: the same at every try.
  const deliveryId = deliveryIdOf('01a20d0e69397e7a8fe7721e7e57272e0b1c2d3e', 7);
  //#endregion
}
