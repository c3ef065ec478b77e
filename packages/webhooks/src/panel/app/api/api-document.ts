// The admin API's OpenAPI document as types, its paths relative to the API's own. Written by
// test/admin/open-api/write-openapi.ts: do not edit.

export interface paths {
    readonly "": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List webhooks
         * @description One page of webhooks, each with its newest delivery and its health. The newest webhook comes first by default.
         */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Register a webhook
         * @description Registers a webhook with a generated signing secret, which only this answer shows. The webhook receives events dispatched from then on.
         */
        readonly post: operations["createWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/changes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Whether anything changed
         * @description A version that is another text after a webhook was created, changed or deleted, and after a delivery of the given webhooks was created, ended, was sent again or purged. Attempts in between do not change it. It costs a few rows per webhook, whatever the number of deliveries: poll it, and read again what you show when it differs.
         */
        readonly get: operations["readChanges"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a webhook
         * @description One webhook with the counts of its retained deliveries by status, its health, and how near it is to its deactivation. It never shows the secret.
         */
        readonly get: operations["getWebhook"];
        /**
         * Change a webhook
         * @description Replaces the given fields; the others stay as they are. The change applies from the next dispatch on, and to attempts that have not begun. To change the secret, rotate it.
         */
        readonly put: operations["updateWebhook"];
        readonly post?: never;
        /**
         * Remove a webhook
         * @description Removes the webhook with all its deliveries: nothing of it is found or sent any more. An attempt under way is not interrupted.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{id}/rotate-secret": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Rotate the signing secret
         * @description Replaces the signing secret; only this answer shows the new one. For 24 hours requests are also signed with the old secret (`X-Webhook-Signature-Previous`, and a second entry of `webhook-signature`), so that the recipient can change over. Rotating again within that time discards the oldest secret at once. With `end_previous` it makes no new secret, and only ends the old one.
         */
        readonly post: operations["rotateSecret"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Find deliveries
         * @description Deliveries of all webhooks that match every given filter, newest first by the time of creation. A page costs the same however many there are: for filters other than `delivery_id`, `event`, `status=failed` and the times it looks at 5,000 deliveries at most, and `scanned_until` says where it stopped.
         */
        readonly get: operations["searchDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{id}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List deliveries
         * @description One page of the history of a webhook, newest first, without payloads and attempts. New deliveries do not shift entries between pages. There is no total: `stats` of the webhook has the counts.
         */
        readonly get: operations["listDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{id}/deliveries/{delivery_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a delivery
         * @description One delivery with its payload, the headers of its last request without signatures, and the log of its attempts with the result of each.
         */
        readonly get: operations["getDelivery"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{id}/deliveries/{delivery_id}/redeliver": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a delivery again
         * @description Starts a new series of attempts for a delivery that has ended, successful or not. It sends the same bytes under the same `X-Webhook-ID`; the number of attempts continues.
         */
        readonly post: operations["redeliver"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{id}/recover": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send failed deliveries again
         * @description Starts a new series of attempts for every failed delivery of the webhook created since the given time, oldest first, and before `until` and of the given events where these are given. Deliveries that failed because the webhook was inactive are included, tests are not. It begins no batch of 500 after 15 s: those that were not begun by then, or are beyond a million, are left out, and `next_cursor` goes on there. With `dry_run` it only counts them.
         */
        readonly post: operations["recover"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{id}/activity": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Deliveries over time
         * @description The retained deliveries of a webhook by hour or day of their creation and by status, for a chart.
         */
        readonly get: operations["readActivity"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/{id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a test event
         * @description Sends one event to this webhook, regardless of its patterns: `webhook.test` unless the body names another known event. A payload must fit the schema of its event. It is a real delivery, signed and retried like any other, and marked as a test: `is_test` in the history, `X-Webhook-Test: 1` in its requests.
         */
        readonly post: operations["testWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/bulk": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Change several webhooks
         * @description Pauses, activates or removes each of at most 100 webhooks, one after the other, as the single operations do. One that is so already stays as it is, and its outcome is `unchanged`. Those that were not begun within 15 s stay as they are, too: `not_reached`. One that fails keeps none of the others back: `results` says what became of each. With `dry_run` nothing changes.
         */
        readonly post: operations["changeWebhooks"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/deliveries/redeliver": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send several deliveries again
         * @description Starts a new series of attempts for each of at most 100 deliveries, of any webhooks, one after the other, as the single operation does. One that fails keeps none of the others back: `results` says what became of each. Those that were not begun within 15 s are left out: `not_reached`. With `dry_run` nothing is sent.
         */
        readonly post: operations["redeliverMany"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List events
         * @description Every event that this installation knows: the built-in ones, then the host’s own.
         */
        readonly get: operations["listEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/events/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Describe an event
         * @description One event that this installation knows: its schema, its example, and the webhooks that subscribe to it.
         */
        readonly get: operations["getEvent"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/explain": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Who receives an event
         * @description For every webhook, the oldest first: whether it would receive an event dispatched now, and why or why not. Nothing is sent.
         */
        readonly get: operations["explainEvent"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * This document
         * @description The OpenAPI 3.1 document of this API, with the events of this installation.
         */
        readonly get: operations["getDocument"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Deliveries over time.
         * @example {
         *       "interval": "hour",
         *       "from": "2026-11-20T04:00:00.000Z",
         *       "to": "2026-11-20T05:00:00.000Z",
         *       "activity": [
         *         {
         *           "start": "2026-11-20T04:00:00.000Z",
         *           "success": 117,
         *           "failed": 2,
         *           "pending": 1
         *         }
         *       ]
         *     }
         */
        readonly Activity: {
            /** @enum {string} */
            readonly interval: "hour" | "day";
            /**
             * Format: date-time
             * @description When the first bucket begins.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly from: string;
            /**
             * Format: date-time
             * @description When the last bucket ends.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly to: string;
            /** @description Every bucket of the range, oldest first, including those without a delivery. */
            readonly activity: readonly components["schemas"]["ActivityPoint"][];
        };
        /** @description Deliveries created in one hour or day, by their status now. */
        readonly ActivityPoint: {
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly start: string;
            readonly success: number;
            readonly failed: number;
            readonly pending: number;
        };
        /** @description One attempt of a delivery. */
        readonly Attempt: {
            /** @description Its number, counted over the lifetime of the delivery. */
            readonly attempt: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly started_at: string;
            /** @description Milliseconds. */
            readonly duration_ms: number;
            /** @description 0 if no response came back. */
            readonly status_code: number;
            /** @description Why it failed; empty when it succeeded. */
            readonly error: string;
            /**
             * @description What exactly was wrong: the reason of a `tls_error` or `invalid_response`, or what was tolerated in a response that has a status. Empty if nothing is known.
             * @example
             * @example certificate_expired
             */
            readonly detail: string;
            /**
             * @description Those of the response’s headers that explain it or name its request, by lower-case name: at most 1,024 bytes.
             * @example {
             *       "content-type": "text/plain",
             *       "retry-after": "30"
             *     }
             */
            readonly response_headers: {
                readonly [key: string]: string;
            };
            /** @description At most 4,096 bytes together with `response_headers`. */
            readonly response_body: string;
        };
        /** @description A change of several webhooks. */
        readonly ChangeWebhooks: {
            /**
             * @description What to do with each webhook.
             * @enum {string}
             */
            readonly action: "pause" | "activate" | "delete";
            /**
             * @description Their ids. Duplicates are removed.
             * @example [
             *       1,
             *       2
             *     ]
             */
            readonly webhooks: readonly number[];
            /** @description Counts, and changes nothing. Default: false. */
            readonly dry_run?: boolean;
        };
        /**
         * @description Whether anything changed.
         * @example {
         *       "version": "12-340"
         *     }
         */
        readonly Changes: {
            /** @description Opaque: another text than before if something changed. */
            readonly version: string;
        };
        /** @description A webhook to register. */
        readonly CreateWebhook: {
            /**
             * @description Where deliveries go: an http or https URL whose host is public and whose port is 80, 443, above 1023 or allowed by the operator. A host name that does not resolve yet is accepted; deliveries check again.
             * @example https://hooks.example.com/in
             */
            readonly url: string;
            /**
             * @description Free text for administrators. Default: empty.
             * @example Billing
             */
            readonly description?: string;
            /**
             * @description Which events it receives: `*`, `<prefix>.*` or exact names. Duplicates are removed. Default: all.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            readonly events?: readonly string[];
            /** @description Whether it receives events. Default: true. */
            readonly is_active?: boolean;
        };
        /**
         * @description A delivery with its payload and its attempts.
         * @example {
         *       "id": 120,
         *       "webhook_id": 1,
         *       "delivery_id": "5f0c3a4b6d7e8f90123456789abcdef0",
         *       "event": "user.created",
         *       "is_test": false,
         *       "status": "pending",
         *       "status_code": 503,
         *       "response_body": "try again later",
         *       "error": "http_503",
         *       "attempts": 1,
         *       "created_at": "2026-11-20T04:10:00.123Z",
         *       "completed_at": null,
         *       "next_attempt_at": "2026-11-20T04:10:31.456Z",
         *       "payload": {
         *         "id": 42
         *       },
         *       "request": {
         *         "attempt": 1,
         *         "headers": {
         *           "Accept": "*\/*",
         *           "Content-Type": "application/json",
         *           "User-Agent": "acme-webhooks/0.0.0",
         *           "X-Webhook-ID": "5f0c3a4b6d7e8f90123456789abcdef0",
         *           "X-Webhook-Timestamp": "1795147800",
         *           "X-Webhook-Event": "user.created",
         *           "X-Webhook-Attempt": "1",
         *           "webhook-id": "5f0c3a4b6d7e8f90123456789abcdef0",
         *           "webhook-timestamp": "1795147800"
         *         },
         *         "omitted_headers": [
         *           "X-Webhook-Signature",
         *           "webhook-signature"
         *         ]
         *       },
         *       "attempt_log": [
         *         {
         *           "attempt": 1,
         *           "started_at": "2026-11-20T04:10:00.130Z",
         *           "duration_ms": 84,
         *           "status_code": 503,
         *           "error": "http_503",
         *           "detail": "",
         *           "response_headers": {
         *             "content-type": "text/plain",
         *             "retry-after": "30"
         *           },
         *           "response_body": "try again later"
         *         }
         *       ]
         *     }
         */
        readonly Delivery: {
            /** @description Ascending in the order of creation. */
            readonly id: number;
            readonly webhook_id: number;
            /**
             * @description The `X-Webhook-ID` of every attempt.
             * @example 5f0c3a4b6d7e8f90123456789abcdef0
             */
            readonly delivery_id: string;
            /** @example user.created */
            readonly event: string;
            /** @description Whether an administrator sent it as a test. */
            readonly is_test: boolean;
            readonly status: components["schemas"]["DeliveryStatus"];
            /** @description HTTP status of the last attempt; 0 if no response came back or no attempt was made. */
            readonly status_code: number;
            /** @description The response body of the last attempt, at most 4,096 bytes. */
            readonly response_body: string;
            /**
             * @description Why the last attempt failed or the delivery ended; empty otherwise.
             * @example
             * @example timeout
             * @example webhook_inactive
             */
            readonly error: string;
            /** @description The number of attempts made, over all series. */
            readonly attempts: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly created_at: string;
            /** @description When it ended; null while it is pending. */
            readonly completed_at: string | null;
            /** @description When the next attempt is due; null once it has ended. */
            readonly next_attempt_at: string | null;
            /**
             * @description The `data` of the callback, as it is sent.
             * @example {
             *       "id": 42
             *     }
             */
            readonly payload: {
                readonly [key: string]: unknown;
            };
            /** @description The last request that is recorded; null before the first one. */
            readonly request: components["schemas"]["SentRequest"] | null;
            /** @description The last 20 attempts, oldest first. */
            readonly attempt_log: readonly components["schemas"]["Attempt"][];
        };
        /** @description Its retained deliveries by status; `total` is their sum. */
        readonly DeliveryCounts: {
            readonly total: number;
            readonly success: number;
            readonly failed: number;
            readonly pending: number;
        };
        /**
         * @description What became of each delivery, in the order of the request.
         * @example {
         *       "results": [
         *         {
         *           "delivery_id": "5f0c3a4b6d7e8f90123456789abcdef0",
         *           "webhook_id": 1,
         *           "outcome": "done"
         *         }
         *       ],
         *       "done": 1,
         *       "dry_run": false
         *     }
         */
        readonly DeliveryOutcomes: {
            readonly results: readonly {
                /**
                 * @description The `X-Webhook-ID` of every attempt.
                 * @example 5f0c3a4b6d7e8f90123456789abcdef0
                 */
                readonly delivery_id: string;
                /** @description Null if there is no such delivery. */
                readonly webhook_id: number | null;
                /**
                 * @description `done`, `not_reached` if there was no time for it, or the `code` of the problem that it alone would be answered with.
                 * @example done
                 * @example webhook_not_found
                 */
                readonly outcome: string;
            }[];
            /** @description How many were done, or would be. */
            readonly done: number;
            readonly dry_run: boolean;
        };
        /**
         * @description One page of a history, newest first.
         * @example {
         *       "deliveries": [
         *         {
         *           "id": 120,
         *           "webhook_id": 1,
         *           "delivery_id": "5f0c3a4b6d7e8f90123456789abcdef0",
         *           "event": "user.created",
         *           "is_test": false,
         *           "status": "pending",
         *           "status_code": 503,
         *           "response_body": "try again later",
         *           "error": "http_503",
         *           "attempts": 1,
         *           "created_at": "2026-11-20T04:10:00.123Z",
         *           "completed_at": null,
         *           "next_attempt_at": "2026-11-20T04:10:31.456Z"
         *         }
         *       ],
         *       "next_cursor": null
         *     }
         */
        readonly DeliveryPage: {
            readonly deliveries: readonly components["schemas"]["DeliverySummary"][];
            /** @description Pass it as `cursor` to get the next page; null on the last one. */
            readonly next_cursor: string | null;
        };
        /**
         * @description The delivery that will be attempted.
         * @example {
         *       "delivery_id": "5f0c3a4b6d7e8f90123456789abcdef0",
         *       "status": "pending"
         *     }
         */
        readonly DeliveryReceipt: {
            /**
             * @description The `X-Webhook-ID` of every attempt.
             * @example 5f0c3a4b6d7e8f90123456789abcdef0
             */
            readonly delivery_id: string;
            readonly status: components["schemas"]["DeliveryStatus"];
        };
        /**
         * @description One page of deliveries across webhooks, newest first.
         * @example {
         *       "deliveries": [
         *         {
         *           "id": 120,
         *           "webhook_id": 1,
         *           "delivery_id": "5f0c3a4b6d7e8f90123456789abcdef0",
         *           "event": "user.created",
         *           "is_test": false,
         *           "status": "pending",
         *           "status_code": 503,
         *           "response_body": "try again later",
         *           "error": "http_503",
         *           "attempts": 1,
         *           "created_at": "2026-11-20T04:10:00.123Z",
         *           "completed_at": null,
         *           "next_attempt_at": "2026-11-20T04:10:31.456Z",
         *           "webhook_url": "https://hooks.example.com/in"
         *         }
         *       ],
         *       "next_cursor": null,
         *       "scanned_until": null
         *     }
         */
        readonly DeliverySearch: {
            readonly deliveries: readonly components["schemas"]["FoundDelivery"][];
            /** @description Pass it as `cursor` to get the next page; null on the last one. */
            readonly next_cursor: string | null;
            /** @description Where the search stopped after 5,000 deliveries: all that were created later have been searched, and `next_cursor` goes on. Null if it did not have to stop. */
            readonly scanned_until: string | null;
        };
        /**
         * @description `pending` until the last attempt has ended.
         * @enum {string}
         */
        readonly DeliveryStatus: "pending" | "success" | "failed";
        /** @description A delivery without its payload. */
        readonly DeliverySummary: {
            /** @description Ascending in the order of creation. */
            readonly id: number;
            readonly webhook_id: number;
            /**
             * @description The `X-Webhook-ID` of every attempt.
             * @example 5f0c3a4b6d7e8f90123456789abcdef0
             */
            readonly delivery_id: string;
            /** @example user.created */
            readonly event: string;
            /** @description Whether an administrator sent it as a test. */
            readonly is_test: boolean;
            readonly status: components["schemas"]["DeliveryStatus"];
            /** @description HTTP status of the last attempt; 0 if no response came back or no attempt was made. */
            readonly status_code: number;
            /** @description The response body of the last attempt, at most 4,096 bytes. */
            readonly response_body: string;
            /**
             * @description Why the last attempt failed or the delivery ended; empty otherwise.
             * @example
             * @example timeout
             * @example webhook_inactive
             */
            readonly error: string;
            /** @description The number of attempts made, over all series. */
            readonly attempts: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly created_at: string;
            /** @description When it ended; null while it is pending. */
            readonly completed_at: string | null;
            /** @description When the next attempt is due; null once it has ended. */
            readonly next_attempt_at: string | null;
        };
        /**
         * @description An event, with one page of the webhooks that subscribe to it, the oldest first.
         * @example {
         *       "name": "user.created",
         *       "label": "Admin created a user",
         *       "schema": {
         *         "type": "object",
         *         "properties": {
         *           "data": {
         *             "type": "object"
         *           }
         *         }
         *       },
         *       "example": {
         *         "id": 42
         *       },
         *       "subscribers": [
         *         {
         *           "id": 1,
         *           "url": "https://hooks.example.com/in",
         *           "is_active": true,
         *           "matched_patterns": [
         *             "user.*"
         *           ]
         *         }
         *       ],
         *       "total": 1,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        readonly EventDescription: {
            readonly name: string;
            readonly label: string;
            /** @description The JSON Schema (draft 2020-12) of the body of its callbacks. */
            readonly schema: {
                readonly [key: string]: unknown;
            };
            /** @description A payload: the example in the catalog; null if there is none. */
            readonly example: {
                readonly [key: string]: unknown;
            } | null;
            readonly subscribers: readonly components["schemas"]["EventSubscriber"][];
            /** @description How many webhooks subscribe to it in all. */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
        };
        /** @description A webhook that subscribes to the event. */
        readonly EventSubscriber: {
            readonly id: number;
            readonly url: string;
            /** @description An inactive webhook does not receive the event. */
            readonly is_active: boolean;
            /** @description Those of its patterns that match the event. */
            readonly matched_patterns: readonly string[];
        };
        /** @description Whether one webhook would receive an event, and why. */
        readonly ExplainedWebhook: {
            readonly id: number;
            readonly url: string;
            readonly is_active: boolean;
            /** @description Whether an event dispatched now would be delivered to it. */
            readonly receives: boolean;
            /**
             * @description Why, or why not. `inactive` whatever its patterns: `matched_patterns` says what it would receive.
             * @enum {string}
             */
            readonly reason: "subscribed" | "inactive" | "no_matching_pattern";
            /**
             * @description Event patterns; none if a webhook was written by SQL without any.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            readonly events: readonly string[];
            /** @description The patterns in `events` that match the event. */
            readonly matched_patterns: readonly string[];
        };
        /** @description The webhooks that would receive an event, and those that would not. */
        readonly Explanation: {
            readonly event: string;
            /** @description Whether the installation knows an event of this name. */
            readonly known: boolean;
            readonly webhooks: readonly components["schemas"]["ExplainedWebhook"][];
            /** @description How many webhooks there are in all. */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
        };
        /** @description How near it is to its deactivation. */
        readonly FailureStreak: {
            /** @description Failed deliveries other than tests since the last success, the activation and the last change of the URL; counted up to `limit`, or to 100. */
            readonly failures: number;
            /** @description At this number the engine deactivates the webhook; null: never. */
            readonly limit: number | null;
        };
        /** @description One refused field or query parameter. */
        readonly FieldError: {
            /** @description A path such as `events[2]`; empty for the body itself. */
            readonly field: string;
            /** @description Stable, such as `required` or `too_big`. */
            readonly code: string;
            /** @description For people; may change. */
            readonly message: string;
            /** @description The bound of what is `too_big`. */
            readonly max?: number;
        };
        /** @description A delivery without its payload, with where it goes. */
        readonly FoundDelivery: {
            /** @description Ascending in the order of creation. */
            readonly id: number;
            readonly webhook_id: number;
            /**
             * @description The `X-Webhook-ID` of every attempt.
             * @example 5f0c3a4b6d7e8f90123456789abcdef0
             */
            readonly delivery_id: string;
            /** @example user.created */
            readonly event: string;
            /** @description Whether an administrator sent it as a test. */
            readonly is_test: boolean;
            readonly status: components["schemas"]["DeliveryStatus"];
            /** @description HTTP status of the last attempt; 0 if no response came back or no attempt was made. */
            readonly status_code: number;
            /** @description The response body of the last attempt, at most 4,096 bytes. */
            readonly response_body: string;
            /**
             * @description Why the last attempt failed or the delivery ended; empty otherwise.
             * @example
             * @example timeout
             * @example webhook_inactive
             */
            readonly error: string;
            /** @description The number of attempts made, over all series. */
            readonly attempts: number;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly created_at: string;
            /** @description When it ended; null while it is pending. */
            readonly completed_at: string | null;
            /** @description When the next attempt is due; null once it has ended. */
            readonly next_attempt_at: string | null;
            /**
             * @description The URL of its webhook now; null if that was deleted during the search.
             * @example https://hooks.example.com/in
             */
            readonly webhook_url: string | null;
        };
        /**
         * @description An event that this installation knows.
         * @example {
         *       "name": "user.created",
         *       "label": "Admin created a user"
         *     }
         */
        readonly KnownEvent: {
            readonly name: string;
            readonly label: string;
        };
        /** @description The built-in events and the host’s own. */
        readonly KnownEvents: {
            readonly events: readonly components["schemas"]["KnownEvent"][];
        };
        /** @description A webhook with its newest delivery and its health. */
        readonly ListedWebhook: {
            readonly id: number;
            readonly url: string;
            readonly description: string;
            /**
             * @description Event patterns; none if a webhook was written by SQL without any.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            readonly events: readonly string[];
            readonly is_active: boolean;
            /**
             * @description Why the engine deactivated it: `gone`, its recipient answered 410; `failing`, too many deliveries in a row failed. Empty if it is active, or if an administrator deactivated it.
             * @enum {string}
             */
            readonly inactive_reason: "" | "gone" | "failing";
            /** @description Since when the engine or an administrator has kept it inactive; null while it is active. */
            readonly inactive_since: string | null;
            /** @description Until when requests are also signed with the secret before the last rotation. May lie in the past; null if the secret was never rotated. */
            readonly previous_secret_expires_at: string | null;
            /** @description The uid of its creator as an integer, 0 if it is none. */
            readonly created_by: number;
            /** @description The uid of its creator, or null. */
            readonly created_by_uid: string | null;
            /** @description The name of its creator, as the host gives it; null if it gives none. */
            readonly created_by_name: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly updated_at: string;
            /** @description The newest delivery; null if none is retained. */
            readonly last_delivery: {
                /**
                 * @description The `X-Webhook-ID` of every attempt.
                 * @example 5f0c3a4b6d7e8f90123456789abcdef0
                 */
                readonly delivery_id: string;
                readonly event: string;
                readonly status: components["schemas"]["DeliveryStatus"];
                /** @description What its last attempt failed with, as in the history; empty after none, or a success. */
                readonly error: string;
                /**
                 * Format: date-time
                 * @description RFC 3339, UTC, milliseconds.
                 * @example 2026-11-20T04:10:00.123Z
                 */
                readonly created_at: string;
            } | null;
            readonly health: components["schemas"]["WebhookHealth"];
        };
        /** @description This document. */
        readonly OpenApiDocument: {
            readonly openapi: string;
        } & {
            readonly [key: string]: unknown;
        };
        /**
         * @description A problem detail of RFC 9457.
         * @example {
         *       "type": "about:blank",
         *       "title": "Unprocessable Content",
         *       "status": 422,
         *       "code": "validation_failed",
         *       "detail": "The input has fields that are not valid",
         *       "errors": [
         *         {
         *           "field": "events",
         *           "code": "too_small",
         *           "message": "Too small: expected array to have >=1 items"
         *         }
         *       ]
         *     }
         */
        readonly Problem: {
            /** @constant */
            readonly type: "about:blank";
            /** @description The phrase of the status. */
            readonly title: string;
            readonly status: number;
            /** @description Stable: the member for programs to branch on. */
            readonly code: string;
            /** @description For people; may change. With 5xx, only where a recovery failed partway. */
            readonly detail?: string;
            /** @description Where a recovery failed partway: how many deliveries it had scheduled again. */
            readonly reopened?: number;
            /** @description With 422: the refused fields. */
            readonly errors?: readonly components["schemas"]["FieldError"][];
        };
        /** @description Which failed deliveries to send again. */
        readonly Recover: {
            /**
             * Format: date-time
             * @description Deliveries created at this time or later, from 1970 to 2999.
             * @example 2026-11-20T04:00:00Z
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description Deliveries created before this time. Default: without end.
             */
            readonly until?: string;
            /**
             * @description Only deliveries of these events, by their exact names. Default: all.
             * @example [
             *       "user.created"
             *     ]
             */
            readonly events?: readonly string[];
            /** @description The `next_cursor` of an earlier response to the same request. Default: from the oldest on. With `dry_run`, it changes nothing. */
            readonly cursor?: string;
            /** @description Counts, and changes nothing. Default: false. */
            readonly dry_run?: boolean;
        };
        /**
         * @description The result of a recovery.
         * @example {
         *       "deliveries": 12,
         *       "next_cursor": null,
         *       "dry_run": false
         *     }
         */
        readonly Recovery: {
            /** @description How many deliveries are sent again by this request, or would be. */
            readonly deliveries: number;
            /** @description Not all are reached yet: pass it as `cursor` to go on. Null if all are, and with `dry_run`. */
            readonly next_cursor: string | null;
            readonly dry_run: boolean;
        };
        /** @description Deliveries to send again. */
        readonly RedeliverMany: {
            /**
             * @description Their `delivery_id`s, of any webhooks. Duplicates are removed.
             * @example [
             *       "5f0c3a4b6d7e8f90123456789abcdef0"
             *     ]
             */
            readonly deliveries: readonly string[];
            /** @description Counts, and changes nothing. Default: false. */
            readonly dry_run?: boolean;
        };
        /** @description Which secret to replace or to end. */
        readonly RotateSecret: {
            /** @description Ends the overlap of the last rotation at once: the present secret stays, and signs alone. Default: false. */
            readonly end_previous?: boolean;
        };
        /**
         * @description A webhook with its new secret, or without one where the rotation only ended the previous one.
         * @example {
         *       "id": 1,
         *       "url": "https://hooks.example.com/in",
         *       "description": "Billing",
         *       "events": [
         *         "user.*",
         *         "role.created"
         *       ],
         *       "is_active": true,
         *       "inactive_reason": "",
         *       "inactive_since": null,
         *       "previous_secret_expires_at": null,
         *       "created_by": 42,
         *       "created_by_uid": "42",
         *       "created_by_name": "Ada Lovelace",
         *       "created_at": "2026-11-20T04:10:00.123Z",
         *       "updated_at": "2026-11-20T04:10:00.123Z",
         *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
         *     }
         */
        readonly RotatedWebhook: {
            readonly id: number;
            readonly url: string;
            readonly description: string;
            /**
             * @description Event patterns; none if a webhook was written by SQL without any.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            readonly events: readonly string[];
            readonly is_active: boolean;
            /**
             * @description Why the engine deactivated it: `gone`, its recipient answered 410; `failing`, too many deliveries in a row failed. Empty if it is active, or if an administrator deactivated it.
             * @enum {string}
             */
            readonly inactive_reason: "" | "gone" | "failing";
            /** @description Since when the engine or an administrator has kept it inactive; null while it is active. */
            readonly inactive_since: string | null;
            /** @description Until when requests are also signed with the secret before the last rotation. May lie in the past; null if the secret was never rotated. */
            readonly previous_secret_expires_at: string | null;
            /** @description The uid of its creator as an integer, 0 if it is none. */
            readonly created_by: number;
            /** @description The uid of its creator, or null. */
            readonly created_by_uid: string | null;
            /** @description The name of its creator, as the host gives it; null if it gives none. */
            readonly created_by_name: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly updated_at: string;
            /**
             * @description The signing secret. Store it now: it is never shown again.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            readonly secret?: string;
        };
        /** @description The headers of the last request, rebuilt from the record: requests are not stored. The signatures are left out, and `User-Agent` is that of the running version. */
        readonly SentRequest: {
            /** @description The number of the attempt that sent it. */
            readonly attempt: number;
            /**
             * @description Its headers by name, without the signatures.
             * @example {
             *       "Content-Type": "application/json"
             *     }
             */
            readonly headers: {
                readonly [key: string]: string;
            };
            /**
             * @description The headers that were sent as well: the signatures.
             * @example [
             *       "X-Webhook-Signature",
             *       "webhook-signature"
             *     ]
             */
            readonly omitted_headers: readonly string[];
        };
        /** @description The event to send. */
        readonly TestEvent: {
            /**
             * @description The name of a known event. Default: `webhook.test`.
             * @example user.created
             */
            readonly event?: string;
            /**
             * @description The payload. Default: the example in the catalog; for `webhook.test`, `{message, webhook_id, timestamp}`. Whole numbers beyond 2^53 - 1 may change: write them as strings.
             * @example {
             *       "id": 42
             *     }
             */
            readonly payload?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description The fields to replace; absent ones stay as they are. */
        readonly UpdateWebhook: {
            /**
             * @description Where deliveries go: an http or https URL whose host is public and whose port is 80, 443, above 1023 or allowed by the operator. A host name that does not resolve yet is accepted; deliveries check again.
             * @example https://hooks.example.com/in
             */
            readonly url?: string;
            /**
             * @description Free text for administrators.
             * @example Billing
             */
            readonly description?: string;
            /**
             * @description Which events it receives: `*`, `<prefix>.*` or exact names. Duplicates are removed.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            readonly events?: readonly string[];
            /** @description Activating also clears `inactive_reason` and begins a new count of failures in a row. */
            readonly is_active?: boolean;
        };
        /**
         * @description A registered webhook.
         * @example {
         *       "id": 1,
         *       "url": "https://hooks.example.com/in",
         *       "description": "Billing",
         *       "events": [
         *         "user.*",
         *         "role.created"
         *       ],
         *       "is_active": true,
         *       "inactive_reason": "",
         *       "inactive_since": null,
         *       "previous_secret_expires_at": null,
         *       "created_by": 42,
         *       "created_by_uid": "42",
         *       "created_by_name": "Ada Lovelace",
         *       "created_at": "2026-11-20T04:10:00.123Z",
         *       "updated_at": "2026-11-20T04:10:00.123Z"
         *     }
         */
        readonly Webhook: {
            readonly id: number;
            readonly url: string;
            readonly description: string;
            /**
             * @description Event patterns; none if a webhook was written by SQL without any.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            readonly events: readonly string[];
            readonly is_active: boolean;
            /**
             * @description Why the engine deactivated it: `gone`, its recipient answered 410; `failing`, too many deliveries in a row failed. Empty if it is active, or if an administrator deactivated it.
             * @enum {string}
             */
            readonly inactive_reason: "" | "gone" | "failing";
            /** @description Since when the engine or an administrator has kept it inactive; null while it is active. */
            readonly inactive_since: string | null;
            /** @description Until when requests are also signed with the secret before the last rotation. May lie in the past; null if the secret was never rotated. */
            readonly previous_secret_expires_at: string | null;
            /** @description The uid of its creator as an integer, 0 if it is none. */
            readonly created_by: number;
            /** @description The uid of its creator, or null. */
            readonly created_by_uid: string | null;
            /** @description The name of its creator, as the host gives it; null if it gives none. */
            readonly created_by_name: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly updated_at: string;
        };
        /**
         * @description A webhook with the counts of its deliveries.
         * @example {
         *       "id": 1,
         *       "url": "https://hooks.example.com/in",
         *       "description": "Billing",
         *       "events": [
         *         "user.*",
         *         "role.created"
         *       ],
         *       "is_active": true,
         *       "inactive_reason": "",
         *       "inactive_since": null,
         *       "previous_secret_expires_at": null,
         *       "created_by": 42,
         *       "created_by_uid": "42",
         *       "created_by_name": "Ada Lovelace",
         *       "created_at": "2026-11-20T04:10:00.123Z",
         *       "updated_at": "2026-11-20T04:10:00.123Z",
         *       "stats": {
         *         "total": 120,
         *         "success": 117,
         *         "failed": 2,
         *         "pending": 1
         *       },
         *       "health": {
         *         "success": 117,
         *         "failed": 3,
         *         "success_rate": 0.975,
         *         "is_failing": false,
         *         "last_success_at": "2026-11-20T04:09:58.002Z",
         *         "last_failure_at": "2026-11-20T03:51:12.640Z"
         *       },
         *       "failure_streak": {
         *         "failures": 0,
         *         "limit": 20
         *       },
         *       "concurrency": {
         *         "limit": 8,
         *         "max": 8,
         *         "is_slow": false
         *       }
         *     }
         */
        readonly WebhookDetail: {
            readonly id: number;
            readonly url: string;
            readonly description: string;
            /**
             * @description Event patterns; none if a webhook was written by SQL without any.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            readonly events: readonly string[];
            readonly is_active: boolean;
            /**
             * @description Why the engine deactivated it: `gone`, its recipient answered 410; `failing`, too many deliveries in a row failed. Empty if it is active, or if an administrator deactivated it.
             * @enum {string}
             */
            readonly inactive_reason: "" | "gone" | "failing";
            /** @description Since when the engine or an administrator has kept it inactive; null while it is active. */
            readonly inactive_since: string | null;
            /** @description Until when requests are also signed with the secret before the last rotation. May lie in the past; null if the secret was never rotated. */
            readonly previous_secret_expires_at: string | null;
            /** @description The uid of its creator as an integer, 0 if it is none. */
            readonly created_by: number;
            /** @description The uid of its creator, or null. */
            readonly created_by_uid: string | null;
            /** @description The name of its creator, as the host gives it; null if it gives none. */
            readonly created_by_name: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly updated_at: string;
            readonly stats: components["schemas"]["DeliveryCounts"];
            readonly health: components["schemas"]["WebhookHealth"];
            readonly failure_streak: components["schemas"]["FailureStreak"];
            /** @description What the process that answers knows of its speed. Null if that process does not deliver, or has sent nothing to it lately; others may know more. */
            readonly concurrency: {
                /** @description Attempts at once now; it grows with successes and falls with failures. */
                readonly limit: number;
                /** @description The highest limit. */
                readonly max: number;
                /** @description Whether its last attempts timed out or took longer than two seconds: all such webhooks share half of the slots. */
                readonly is_slow: boolean;
            } | null;
        };
        /** @description How its deliveries have ended lately. */
        readonly WebhookHealth: {
            /** @description Deliveries created in the last 24 hours, the hour in which those began included, by outcome. */
            readonly success: number;
            readonly failed: number;
            /** @description `success` of both, from 0 to 1; null if none has ended. */
            readonly success_rate: number | null;
            /** @description Whether the last delivery that ended failed. Those that were never sent and failed tests do not count. */
            readonly is_failing: boolean;
            readonly last_success_at: string | null;
            readonly last_failure_at: string | null;
        };
        /**
         * @description What became of each webhook, in the order of the request.
         * @example {
         *       "results": [
         *         {
         *           "webhook_id": 1,
         *           "outcome": "done"
         *         }
         *       ],
         *       "done": 1,
         *       "dry_run": false
         *     }
         */
        readonly WebhookOutcomes: {
            readonly results: readonly {
                readonly webhook_id: number;
                /**
                 * @description `done`, `unchanged` if it was paused or active already, `not_reached` if there was no time for it, or the `code` of the problem that it alone would be answered with.
                 * @example done
                 * @example unchanged
                 * @example webhook_not_found
                 */
                readonly outcome: string;
            }[];
            /** @description How many were done, or would be. */
            readonly done: number;
            readonly dry_run: boolean;
        };
        /**
         * @description One page of webhooks.
         * @example {
         *       "webhooks": [
         *         {
         *           "id": 1,
         *           "url": "https://hooks.example.com/in",
         *           "description": "Billing",
         *           "events": [
         *             "user.*",
         *             "role.created"
         *           ],
         *           "is_active": true,
         *           "inactive_reason": "",
         *           "inactive_since": null,
         *           "previous_secret_expires_at": null,
         *           "created_by": 42,
         *           "created_by_uid": "42",
         *           "created_by_name": "Ada Lovelace",
         *           "created_at": "2026-11-20T04:10:00.123Z",
         *           "updated_at": "2026-11-20T04:10:00.123Z",
         *           "last_delivery": {
         *             "delivery_id": "5f0c3a4b6d7e8f90123456789abcdef0",
         *             "event": "user.created",
         *             "status": "pending",
         *             "error": "http_503",
         *             "created_at": "2026-11-20T04:10:00.123Z"
         *           },
         *           "health": {
         *             "success": 117,
         *             "failed": 3,
         *             "success_rate": 0.975,
         *             "is_failing": false,
         *             "last_success_at": "2026-11-20T04:09:58.002Z",
         *             "last_failure_at": "2026-11-20T03:51:12.640Z"
         *           }
         *         }
         *       ],
         *       "total": 1,
         *       "limit": 50,
         *       "offset": 0
         *     }
         */
        readonly WebhookPage: {
            readonly webhooks: readonly components["schemas"]["ListedWebhook"][];
            /** @description How many webhooks match in all. */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
        };
        /**
         * @description A webhook with its new secret, which is shown only in this answer.
         * @example {
         *       "id": 1,
         *       "url": "https://hooks.example.com/in",
         *       "description": "Billing",
         *       "events": [
         *         "user.*",
         *         "role.created"
         *       ],
         *       "is_active": true,
         *       "inactive_reason": "",
         *       "inactive_since": null,
         *       "previous_secret_expires_at": null,
         *       "created_by": 42,
         *       "created_by_uid": "42",
         *       "created_by_name": "Ada Lovelace",
         *       "created_at": "2026-11-20T04:10:00.123Z",
         *       "updated_at": "2026-11-20T04:10:00.123Z",
         *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
         *     }
         */
        readonly WebhookWithSecret: {
            readonly id: number;
            readonly url: string;
            readonly description: string;
            /**
             * @description Event patterns; none if a webhook was written by SQL without any.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            readonly events: readonly string[];
            readonly is_active: boolean;
            /**
             * @description Why the engine deactivated it: `gone`, its recipient answered 410; `failing`, too many deliveries in a row failed. Empty if it is active, or if an administrator deactivated it.
             * @enum {string}
             */
            readonly inactive_reason: "" | "gone" | "failing";
            /** @description Since when the engine or an administrator has kept it inactive; null while it is active. */
            readonly inactive_since: string | null;
            /** @description Until when requests are also signed with the secret before the last rotation. May lie in the past; null if the secret was never rotated. */
            readonly previous_secret_expires_at: string | null;
            /** @description The uid of its creator as an integer, 0 if it is none. */
            readonly created_by: number;
            /** @description The uid of its creator, or null. */
            readonly created_by_uid: string | null;
            /** @description The name of its creator, as the host gives it; null if it gives none. */
            readonly created_by_name: string | null;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description RFC 3339, UTC, milliseconds.
             * @example 2026-11-20T04:10:00.123Z
             */
            readonly updated_at: string;
            /**
             * @description The signing secret. Store it now: it is never shown again.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            readonly secret: string;
        };
    };
    responses: {
        /**
         * @description Bad Request
         *     - `body_unreadable`: The body broke off.
         */
        readonly "400.body_unreadable": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 400;
                    /** @enum {unknown} */
                    readonly code: "body_unreadable";
                };
            };
        };
        /**
         * @description Bad Request
         *     - `body_unreadable`: The body broke off.
         *     - `malformed_if_match`: `If-Match` is neither `*` nor a list of entity tags in quotation marks.
         */
        readonly "400.body_unreadable.malformed_if_match": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 400;
                    /** @enum {unknown} */
                    readonly code: "body_unreadable" | "malformed_if_match";
                };
            };
        };
        /**
         * @description Bad Request
         *     - `malformed_if_match`: `If-Match` is neither `*` nor a list of entity tags in quotation marks.
         */
        readonly "400.malformed_if_match": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 400;
                    /** @enum {unknown} */
                    readonly code: "malformed_if_match";
                };
            };
        };
        /**
         * @description Bad Request
         *     - `malformed_json`: The body is absent, or is not JSON.
         *     - `body_unreadable`: The body broke off.
         */
        readonly "400.malformed_json.body_unreadable": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 400;
                    /** @enum {unknown} */
                    readonly code: "malformed_json" | "body_unreadable";
                };
            };
        };
        /**
         * @description Bad Request
         *     - `malformed_json`: The body is absent, or is not JSON.
         *     - `body_unreadable`: The body broke off.
         *     - `malformed_if_match`: `If-Match` is neither `*` nor a list of entity tags in quotation marks.
         */
        readonly "400.malformed_json.body_unreadable.malformed_if_match": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 400;
                    /** @enum {unknown} */
                    readonly code: "malformed_json" | "body_unreadable" | "malformed_if_match";
                };
            };
        };
        /**
         * @description Unauthorized
         *     - `unauthenticated`: The request carries no credential, or none that is known.
         *     - any other: the `code` of the error that the host’s authorisation threw, such as `token_expired`.
         */
        readonly "401.unauthenticated": {
            headers: {
                /** @description `Bearer`, whichever credential the host expects. */
                readonly "WWW-Authenticate"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 401;
                    /** @example unauthenticated */
                    readonly code: string;
                };
            };
        };
        /**
         * @description Forbidden
         *     - `forbidden`: The application does not allow the user to make the request.
         *     - `insufficient_scope`: The user lacks the scope `admin:webhooks`.
         *     - any other: the `code` of the error that the host’s authorisation threw, such as `token_expired`.
         */
        readonly "403.forbidden.insufficient_scope": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 403;
                    /**
                     * @example forbidden
                     * @example insufficient_scope
                     */
                    readonly code: string;
                };
            };
        };
        /**
         * @description Forbidden
         *     - `forbidden`: The application does not allow the user to make the request.
         *     - `insufficient_scope`: The user lacks the scope `admin:webhooks`.
         *     - `cross_site`: A page of another site sent the request.
         *     - `read_only`: This installation allows no changes through this API.
         *     - any other: the `code` of the error that the host’s authorisation threw, such as `token_expired`.
         */
        readonly "403.forbidden.insufficient_scope.cross_site.read_only": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 403;
                    /**
                     * @example forbidden
                     * @example insufficient_scope
                     * @example cross_site
                     * @example read_only
                     */
                    readonly code: string;
                };
            };
        };
        /**
         * @description Not Found
         *     - `not_found`: There is no such path, or an id in it is malformed.
         *     - `event_not_found`: This installation knows no such event.
         */
        readonly "404.not_found.event_not_found": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 404;
                    /** @enum {unknown} */
                    readonly code: "not_found" | "event_not_found";
                };
            };
        };
        /**
         * @description Not Found
         *     - `not_found`: There is no such path, or an id in it is malformed.
         *     - `webhook_not_found`: There is no such webhook (any more).
         */
        readonly "404.not_found.webhook_not_found": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 404;
                    /** @enum {unknown} */
                    readonly code: "not_found" | "webhook_not_found";
                };
            };
        };
        /**
         * @description Not Found
         *     - `not_found`: There is no such path, or an id in it is malformed.
         *     - `webhook_not_found`: There is no such webhook (any more).
         *     - `delivery_not_found`: The webhook has no such delivery (any more).
         */
        readonly "404.not_found.webhook_not_found.delivery_not_found": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 404;
                    /** @enum {unknown} */
                    readonly code: "not_found" | "webhook_not_found" | "delivery_not_found";
                };
            };
        };
        /**
         * @description Conflict
         *     - `no_previous_secret`: No previous secret signs any more.
         */
        readonly "409.no_previous_secret": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 409;
                    /** @enum {unknown} */
                    readonly code: "no_previous_secret";
                };
            };
        };
        /**
         * @description Conflict
         *     - `webhook_inactive`: The webhook is inactive: activate it first.
         */
        readonly "409.webhook_inactive": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 409;
                    /** @enum {unknown} */
                    readonly code: "webhook_inactive";
                };
            };
        };
        /**
         * @description Conflict
         *     - `webhook_inactive`: The webhook is inactive: activate it first.
         *     - `delivery_pending`: The delivery has not ended yet.
         */
        readonly "409.webhook_inactive.delivery_pending": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 409;
                    /** @enum {unknown} */
                    readonly code: "webhook_inactive" | "delivery_pending";
                };
            };
        };
        /**
         * @description Precondition Failed
         *     - `precondition_failed`: The webhook has changed since the state that `If-Match` names: read it again.
         */
        readonly "412.precondition_failed": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 412;
                    /** @enum {unknown} */
                    readonly code: "precondition_failed";
                };
            };
        };
        /**
         * @description Content Too Large
         *     - `body_too_large`: The body has more than 65,536 bytes.
         */
        readonly "413.body_too_large": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 413;
                    /** @enum {unknown} */
                    readonly code: "body_too_large";
                };
            };
        };
        /**
         * @description Unsupported Media Type
         *     - `unsupported_media_type`: The body is not `application/json` in UTF-8, or is compressed.
         */
        readonly "415.unsupported_media_type": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 415;
                    /** @enum {unknown} */
                    readonly code: "unsupported_media_type";
                };
            };
        };
        /**
         * @description Unprocessable Content
         *     - `validation_failed`: `errors` names the fields or parameters that are refused.
         */
        readonly "422.validation_failed": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 422;
                    /** @enum {unknown} */
                    readonly code: "validation_failed";
                };
            };
        };
        /**
         * @description Unprocessable Content
         *     - `validation_failed`: `errors` names the fields or parameters that are refused.
         *     - `invalid_payload`: The payload of a test does not fit the schema of its event; `errors` says where.
         *     - `payload_too_large`: The schema of its event makes the payload of a test larger than 256 KiB of JSON.
         */
        readonly "422.validation_failed.invalid_payload.payload_too_large": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 422;
                    /** @enum {unknown} */
                    readonly code: "validation_failed" | "invalid_payload" | "payload_too_large";
                };
            };
        };
        /**
         * @description Unprocessable Content
         *     - `validation_failed`: `errors` names the fields or parameters that are refused.
         *     - `url_not_public`: The URL does not lead to a public address; `errors` says why.
         */
        readonly "422.validation_failed.url_not_public": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 422;
                    /** @enum {unknown} */
                    readonly code: "validation_failed" | "url_not_public";
                };
            };
        };
        /**
         * @description Internal Server Error
         *     - `internal_error`: An unexpected error, which is in the log.
         */
        readonly "500.internal_error": {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 500;
                    /** @enum {unknown} */
                    readonly code: "internal_error";
                };
            };
        };
        /**
         * @description Service Unavailable
         *     - `authorization_unavailable`: The application cannot identify the user at present.
         */
        readonly "503.authorization_unavailable": {
            headers: {
                /** @description The seconds to wait before trying again. */
                readonly "Retry-After"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 503;
                    /** @enum {unknown} */
                    readonly code: "authorization_unavailable";
                };
            };
        };
        /**
         * @description Service Unavailable
         *     - `authorization_unavailable`: The application cannot identify the user at present.
         *     - `storage_unavailable`: The storage does not answer, or refuses the request.
         */
        readonly "503.authorization_unavailable.storage_unavailable": {
            headers: {
                /** @description The seconds to wait before trying again. */
                readonly "Retry-After"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 503;
                    /** @enum {unknown} */
                    readonly code: "authorization_unavailable" | "storage_unavailable";
                };
            };
        };
        /**
         * @description Service Unavailable
         *     - `authorization_unavailable`: The application cannot identify the user at present.
         *     - `storage_unavailable`: The storage does not answer, or refuses the request.
         *     - `overloaded`: Too many requests are waiting for the storage.
         *     - `closed`: This process is shutting down.
         */
        readonly "503.authorization_unavailable.storage_unavailable.overloaded.closed": {
            headers: {
                /** @description The seconds to wait before trying again. */
                readonly "Retry-After"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    readonly status: 503;
                    /** @enum {unknown} */
                    readonly code: "authorization_unavailable" | "storage_unavailable" | "overloaded" | "closed";
                };
            };
        };
    };
    parameters: {
        /** @description The delivery, the same on every attempt and redelivery: deduplicate on it. */
        readonly "X-Webhook-ID": string;
        /** @description Unix seconds of when the delivery was created. */
        readonly "X-Webhook-Timestamp": string;
        /** @description HMAC-SHA256 in hex of `<X-Webhook-ID>.<X-Webhook-Timestamp>.<body>`, keyed with the whole text of the secret. */
        readonly "X-Webhook-Signature": string;
        /** @description The same with the secret before the last rotation, for 24 hours after the rotation. */
        readonly "X-Webhook-Signature-Previous": string;
        /** @description The event. It is not signed: trust `type` of the body instead. */
        readonly "X-Webhook-Event": string;
        /** @description The number of this attempt, from 1. */
        readonly "X-Webhook-Attempt": string;
        /** @description `1` if an administrator sent it as a test. It is not signed. */
        readonly "X-Webhook-Test": "1";
        /** @description The same as `X-Webhook-ID`. The header set of Standard Webhooks is sent unless the host turned it off. */
        readonly "webhook-id": string;
        /** @description Unix seconds of this attempt. */
        readonly "webhook-timestamp": string;
        /** @description One or two entries `v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the decoded secret. The second is made with the previous secret. */
        readonly "webhook-signature": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /** @description A part of the URL or description, ignoring ASCII case. Empty means no filter. */
                readonly search?: string;
                /** @description Only active or only inactive webhooks. */
                readonly active?: boolean;
                /** @description Only webhooks whose last delivery that ended failed, or only the others. */
                readonly failing?: boolean;
                /** @description How many a page has at most. */
                readonly limit?: number;
                /** @description How many to skip. */
                readonly offset?: number;
                /** @description The field to order by; ties are ordered by id. `failing` and `desc`: webhooks whose last delivery failed come first. */
                readonly sort?: "id" | "url" | "created_at" | "updated_at" | "failing";
                /** @description The direction; `desc` is newest first. */
                readonly order?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookPage"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    /** @description The path of the created resource. */
                    readonly Location?: string;
                    /** @description The state of the webhook: its `updated_at` in quotation marks. */
                    readonly ETag?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            readonly 400: components["responses"]["400.malformed_json.body_unreadable"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 415: components["responses"]["415.unsupported_media_type"];
            readonly 422: components["responses"]["422.validation_failed.url_not_public"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly readChanges: {
        readonly parameters: {
            readonly query?: {
                /** @description The ids of the webhooks whose deliveries matter, at most 100, separated by commas. Without it, every new delivery changes the version, and no ended one. */
                readonly webhooks?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Changes"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly getWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of an answer that showed this webhook, which is its `updated_at` in quotation marks. Separate several by commas. If the webhook has changed since then, the answer is 412 `precondition_failed`, and nothing happens. `*` or no header accepts any state. */
                readonly "If-Match"?: string;
            };
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    /** @description The state of the webhook: its `updated_at` in quotation marks. */
                    readonly ETag?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDetail"];
                };
            };
            readonly 400: components["responses"]["400.malformed_if_match"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found"];
            readonly 412: components["responses"]["412.precondition_failed"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of an answer that showed this webhook, which is its `updated_at` in quotation marks. Separate several by commas. If the webhook has changed since then, the answer is 412 `precondition_failed`, and nothing happens. `*` or no header accepts any state. */
                readonly "If-Match"?: string;
            };
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    /** @description The state of the webhook: its `updated_at` in quotation marks. */
                    readonly ETag?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
            readonly 400: components["responses"]["400.malformed_json.body_unreadable.malformed_if_match"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found"];
            readonly 412: components["responses"]["412.precondition_failed"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 415: components["responses"]["415.unsupported_media_type"];
            readonly 422: components["responses"]["422.validation_failed.url_not_public"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of an answer that showed this webhook, which is its `updated_at` in quotation marks. Separate several by commas. If the webhook has changed since then, the answer is 412 `precondition_failed`, and nothing happens. `*` or no header accepts any state. */
                readonly "If-Match"?: string;
            };
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["400.body_unreadable.malformed_if_match"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found"];
            readonly 412: components["responses"]["412.precondition_failed"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly rotateSecret: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The `ETag` of an answer that showed this webhook, which is its `updated_at` in quotation marks. Separate several by commas. If the webhook has changed since then, the answer is 412 `precondition_failed`, and nothing happens. `*` or no header accepts any state. */
                readonly "If-Match"?: string;
            };
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RotateSecret"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    /** @description The state of the webhook: its `updated_at` in quotation marks. */
                    readonly ETag?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RotatedWebhook"];
                };
            };
            readonly 400: components["responses"]["400.malformed_json.body_unreadable.malformed_if_match"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found"];
            readonly 409: components["responses"]["409.no_previous_secret"];
            readonly 412: components["responses"]["412.precondition_failed"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 415: components["responses"]["415.unsupported_media_type"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly searchDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description The `X-Webhook-ID` of one delivery. */
                readonly delivery_id?: string;
                /** @description Only deliveries of this status. */
                readonly status?: "pending" | "success" | "failed";
                /** @description Only deliveries of this event. */
                readonly event?: string;
                /** @description Only deliveries whose last attempt failed for this reason; empty: without an error. */
                readonly error?: string;
                /** @description Only deliveries whose last attempt was answered with this HTTP status; 0: without a response. */
                readonly status_code?: number;
                /** @description Only deliveries created at this time or later. */
                readonly from?: string;
                /** @description Only deliveries created before this time. */
                readonly to?: string;
                /** @description How many a page has at most. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliverySearch"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly listDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Only deliveries of this status. */
                readonly status?: "pending" | "success" | "failed";
                /** @description Only deliveries of this event. */
                readonly event?: string;
                /** @description How many a page has at most. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly getDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
                /** @description The `delivery_id` of a delivery: the `X-Webhook-ID` that its recipient saw. */
                readonly delivery_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Delivery"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found.delivery_not_found"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly redeliver: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
                /** @description The `delivery_id` of a delivery: the `X-Webhook-ID` that its recipient saw. */
                readonly delivery_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryReceipt"];
                };
            };
            readonly 400: components["responses"]["400.body_unreadable"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found.delivery_not_found"];
            readonly 409: components["responses"]["409.webhook_inactive.delivery_pending"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly recover: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Recover"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Recovery"];
                };
            };
            readonly 400: components["responses"]["400.malformed_json.body_unreadable"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found"];
            readonly 409: components["responses"]["409.webhook_inactive"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 415: components["responses"]["415.unsupported_media_type"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly readActivity: {
        readonly parameters: {
            readonly query?: {
                /** @description The width of a bucket; days are UTC days. At most 744 hours or 366 days. */
                readonly interval?: "hour" | "day";
                /** @description A time within the first bucket. Default: 24 hours or 30 days before the end. */
                readonly from?: string;
                /** @description The end of the last bucket, or a time within it. Default: now. */
                readonly to?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Activity"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly testWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of a webhook. */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["TestEvent"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryReceipt"];
                };
            };
            readonly 400: components["responses"]["400.malformed_json.body_unreadable"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 404: components["responses"]["404.not_found.webhook_not_found"];
            readonly 409: components["responses"]["409.webhook_inactive"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 415: components["responses"]["415.unsupported_media_type"];
            readonly 422: components["responses"]["422.validation_failed.invalid_payload.payload_too_large"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable.overloaded.closed"];
        };
    };
    readonly changeWebhooks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChangeWebhooks"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookOutcomes"];
                };
            };
            readonly 400: components["responses"]["400.malformed_json.body_unreadable"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 415: components["responses"]["415.unsupported_media_type"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly redeliverMany: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RedeliverMany"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryOutcomes"];
                };
            };
            readonly 400: components["responses"]["400.malformed_json.body_unreadable"];
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope.cross_site.read_only"];
            readonly 413: components["responses"]["413.body_too_large"];
            readonly 415: components["responses"]["415.unsupported_media_type"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["KnownEvents"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable"];
        };
    };
    readonly getEvent: {
        readonly parameters: {
            readonly query?: {
                /** @description How many a page has at most. */
                readonly limit?: number;
                /** @description How many to skip. */
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of an event. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventDescription"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 404: components["responses"]["404.not_found.event_not_found"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly explainEvent: {
        readonly parameters: {
            readonly query: {
                /** @description An event name, known or not. */
                readonly event: string;
                /** @description A part of the URL or description, ignoring ASCII case. Empty means no filter. */
                readonly search?: string;
                /** @description How many a page has at most. */
                readonly limit?: number;
                /** @description How many to skip. */
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Explanation"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable.storage_unavailable"];
        };
    };
    readonly getDocument: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            readonly 401: components["responses"]["401.unauthenticated"];
            readonly 403: components["responses"]["403.forbidden.insufficient_scope"];
            readonly 422: components["responses"]["422.validation_failed"];
            readonly 500: components["responses"]["500.internal_error"];
            readonly 503: components["responses"]["503.authorization_unavailable"];
        };
    };
}
