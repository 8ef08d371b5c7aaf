// Made by `npm run update:client-types` from the OpenAPI document and the table of errors.

export interface paths {
    "/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify one address
         * @description Costs 1 credit; an `unknown` is refunded. On a catch-all domain the deeper check runs in the same call.
         */
        post: operations["verifyAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up domains
         * @description Who takes their mail, and what can be told. Up to 1,000 domains, by DNS, lists and what we remember. No mail server is asked. 1 credit for each 10 or part of it, refunded if DNS failed for all of them. A domain whose name servers do not answer within 15 seconds has null.
         */
        post: operations["describeDomains"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the balance
         * @description `balance` is what is available plus what is reserved, and all purchases less all net consumption.
         */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verify-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a list
         * @description Up to 50,000 addresses. Duplicates and malformed addresses are removed. 1 credit per address; each `unknown` is refunded.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a job
         * @description Ask every 10 to 15 seconds until `status` is no longer `processing`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Delete a job
         * @description The list and the results of a job that has ended are gone at once: reading them is a 410 from now on. The job itself stays with its counters. A job that runs is a 409: finish it first.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read results
         * @description A page, in the order in which the addresses were sent. Only of a completed job, and only until `resultsExpiresAt`.
         */
        get: operations["getJobResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Newest first, also those whose results have expired: the job itself stays with its counters.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download results
         * @description All in one file, in the order in which the addresses were sent. Streamed. In `csv` a cell that a spreadsheet would run as a formula begins with an apostrophe, numbers and telephone numbers aside.
         */
        get: operations["downloadJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rejected addresses
         * @description A page of what was taken out of the list: duplicates and malformed addresses. From the creation of the job until its results expire.
         */
        get: operations["getRejected"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a job
         * @description Ends it early. What is not answered yet becomes `unknown` with sub_status `not_asked`, and is refunded. The answers so far can be read at once. Of a completed job it changes nothing.
         */
        post: operations["finishJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catchall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description Newest first, also those whose results have expired: the task itself stays with its counters.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Score catch-all addresses
         * @description Verifies the catch-all addresses of a completed job again, each with a score. 1 credit per address; each `unknown` is refunded.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catchall/{taskId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a task
         * @description Ask every 10 to 15 seconds until `status` is no longer `processing`.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catchall/{taskId}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read scores
         * @description A page, each score with the breakdown that adds up to it. Only of a completed task, and only until `resultsExpiresAt`.
         */
        get: operations["getTaskResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catchall/{taskId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download scores
         * @description As CSV: Email, Score, Verdict. Only of a completed task, and only until `resultsExpiresAt`. The file is streamed.
         */
        get: operations["downloadTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description And the threshold of `credits.low`. Secrets are not shown again: rotate one that is lost.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook
         * @description Without `events` the endpoint receives all of them. The secret is shown only in this answer.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the threshold
         * @description The event `credits.low` is sent once when the balance falls below, and again after it was reached again.
         */
        patch: operations["changeWebhookSettings"];
        trace?: never;
    };
    "/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Whether it is enabled, and since when nothing arrives.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook
         * @description With its deliveries. What waits for it is not sent any more.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Also disables or enables it. What is left out stays. Disabling it ends the deliveries that wait.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the secret
         * @description For 24 hours events carry a signature with each of the two secrets.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description It is sent at once, whatever events the webhook asked for. Its deliveries tell what came of it.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description What was and will be sent to a webhook, newest first. Those that ended are kept for a limited time.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{eventId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a delivery
         * @description With the same `webhook-id` and the same body, at once and with all its attempts.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report outcomes
         * @description What became of your messages: up to 1000 outcomes. From then on they decide these addresses for this account, in single calls, lists and tasks; other accounts never see them. Of several outcomes of an address the newest counts, so that repeating a request changes nothing. Addresses are kept as keyed hashes only. Free of charge.
         */
        post: operations["sendFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "job.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event job.completed
         * @description Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["on-job-completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event job.failed
         * @description Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["on-job-failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "catchall.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event catchall.completed
         * @description Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["on-catchall-completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "catchall.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event catchall.failed
         * @description Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["on-catchall-failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credits.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event credits.low
         * @description Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["on-credits-low"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event webhook.test
         * @description Signed as by Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.
         */
        post: operations["on-webhook-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description A list that is verified
         * @example {
         *       "status": "completed",
         *       "name": "July list",
         *       "totalEmails": 2,
         *       "processedEmails": 2,
         *       "progress": {
         *         "total": 2,
         *         "processed": 2,
         *         "percentage": 100
         *       },
         *       "waitingEmails": 0,
         *       "nextAttemptAt": null,
         *       "creditsUsed": 2,
         *       "creditsRefunded": 0,
         *       "createdAt": "2026-07-01T10:00:00.000Z",
         *       "updatedAt": "2026-07-01T10:00:08.000Z",
         *       "completedAt": "2026-07-01T10:00:08.000Z",
         *       "resultsExpiresAt": "2026-07-03T10:00:08.000Z",
         *       "resultsExpired": false,
         *       "error": null,
         *       "jobId": "job_1f0c",
         *       "submittedEmails": 3,
         *       "acceptedEmails": 2,
         *       "rejectedEmails": 1,
         *       "duplicateEmails": 1,
         *       "invalidEmails": 0,
         *       "statusCounts": {
         *         "deliverable": 1,
         *         "undeliverable": 0,
         *         "risky": 1,
         *         "unknown": 0,
         *         "catchAll": 1
         *       },
         *       "creditsReserved": 0,
         *       "validationFlags": {
         *         "auto_catchall_rescue": false
         *       },
         *       "estimatedCompletionAt": null,
         *       "catchAllTaskId": null
         *     }
         */
        Job: components["schemas"]["Work"] & {
            /** @description The id of the job, for its paths */
            jobId: string;
            /** @description Elements of the list as sent */
            submittedEmails: number;
            /** @description Addresses to verify, as totalEmails */
            acceptedEmails: number;
            /** @description duplicateEmails + invalidEmails */
            rejectedEmails: number;
            /** @description Repetitions of an address, ignoring case and the script of its domain; with `dedupe: "mailbox"` those of a mailbox */
            duplicateEmails: number;
            /** @description Malformed and blank elements */
            invalidEmails: number;
            /** @description How many addresses have which answer, live */
            statusCounts: {
                /** @description Addresses answered as deliverable */
                deliverable: number;
                /** @description Addresses answered as undeliverable */
                undeliverable: number;
                /** @description Addresses answered as risky */
                risky: number;
                /** @description Addresses without a definite answer, refunded */
                unknown: number;
                /** @description Addresses of catch-all domains, whatever their status */
                catchAll: number;
            };
            /**
             * Format: int64
             * @description Still set aside, in credits
             */
            creditsReserved: number;
            /** @description What the job does beside verifying */
            validationFlags: {
                /** @description Whether this job runs the deep check on its catch-all rows itself */
                auto_catchall_rescue: boolean;
            };
            /**
             * Format: date-time
             * @description While the job runs, by its pace and by the rows that wait; null before anything is measured, and once it has ended
             */
            estimatedCompletionAt: string | null;
            /** @description The last catch-all task that was made from this job; null: none */
            catchAllTaskId: string | null;
        };
        /**
         * @description The state of a job or a task. Results can be read once it is `completed`
         * @enum {string}
         */
        JobStatus: "processing" | "completed" | "failed";
        /** @description Work on a list of addresses */
        Work: {
            status: components["schemas"]["JobStatus"];
            /** @description The name that was given with it; null: none */
            name: string | null;
            /** @description Addresses to verify */
            totalEmails: number;
            /** @description Addresses that have their answer */
            processedEmails: number;
            /** @description How far the work has come */
            progress: {
                /** @description Addresses */
                total: number;
                /** @description Addresses that have their answer */
                processed: number;
                /** @description Their share in percent, rounded down */
                percentage: number;
            };
            /** @description Addresses that wait for a later attempt */
            waitingEmails: number;
            /**
             * Format: date-time
             * @description When the next of them is tried, UTC; null: none waits
             */
            nextAttemptAt: string | null;
            /**
             * Format: int64
             * @description Charged so far, in credits
             */
            creditsUsed: number;
            /**
             * Format: int64
             * @description Given back so far, for each `unknown`, in credits
             */
            creditsRefunded: number;
            /**
             * Format: date-time
             * @description When it was taken, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed, UTC
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When it ended, UTC; null while it runs
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description Until when results are kept, UTC; null before it is completed
             */
            resultsExpiresAt: string | null;
            /** @description Whether the results have expired and are deleted */
            resultsExpired: boolean;
            /** @description Why it failed, for people; null unless it did */
            error: string | null;
        };
        Event: {
            /**
             * Format: date-time
             * @description When it happened, UTC
             */
            timestamp: string;
            /** @description Whether it is of a test key: nothing of it is real */
            test: boolean;
        };
        /**
         * @description The deeper verification of catch-all addresses
         * @example {
         *       "status": "completed",
         *       "name": "July list",
         *       "totalEmails": 2,
         *       "processedEmails": 2,
         *       "progress": {
         *         "total": 2,
         *         "processed": 2,
         *         "percentage": 100
         *       },
         *       "waitingEmails": 0,
         *       "nextAttemptAt": null,
         *       "creditsUsed": 2,
         *       "creditsRefunded": 0,
         *       "createdAt": "2026-07-01T10:00:00.000Z",
         *       "updatedAt": "2026-07-01T10:00:08.000Z",
         *       "completedAt": "2026-07-01T10:00:08.000Z",
         *       "resultsExpiresAt": "2026-07-03T10:00:08.000Z",
         *       "resultsExpired": false,
         *       "error": null,
         *       "taskId": "cat_1f0c",
         *       "sourceJobId": "job_1f0c",
         *       "creditsRequired": 2,
         *       "creditsPerEmail": 1,
         *       "verdictCounts": {
         *         "valid": 1,
         *         "invalid": 1,
         *         "unknown": 0
         *       }
         *     }
         */
        CatchAllTask: components["schemas"]["Work"] & {
            /** @description The id of the task, for its paths */
            taskId: string;
            /** @description The job whose catch-all addresses these are */
            sourceJobId: string;
            /**
             * Format: int64
             * @description What all addresses cost together, in credits
             */
            creditsRequired: number;
            /**
             * Format: int64
             * @description What an address costs, in credits
             */
            creditsPerEmail: number;
            /** @description How many addresses have which verdict, live */
            verdictCounts: {
                /** @description Addresses judged to exist */
                valid: number;
                /** @description Addresses judged not to exist */
                invalid: number;
                /** @description Addresses on which the evidence does not decide, refunded */
                unknown: number;
            };
        };
        /**
         * @description The credits of the account
         * @example {
         *       "balance": 98,
         *       "availableCredits": 98,
         *       "reservedCredits": 0,
         *       "totalPurchased": 100,
         *       "totalConsumed": 2,
         *       "totalRefunded": 0,
         *       "transactionCount": 2,
         *       "lastTransactionAt": "2026-07-01T10:00:08.000Z"
         *     }
         */
        Credits: {
            /**
             * Format: int64
             * @description availableCredits + reservedCredits = totalPurchased - totalConsumed, in credits
             */
            balance: number;
            /**
             * Format: int64
             * @description What new work can use, in credits
             */
            availableCredits: number;
            /**
             * Format: int64
             * @description Set aside for work in progress, in credits
             */
            reservedCredits: number;
            /**
             * Format: int64
             * @description Every grant since the account was made, the trial too, in credits
             */
            totalPurchased: number;
            /**
             * Format: int64
             * @description Charged since the account was made, less refunds, in credits
             */
            totalConsumed: number;
            /**
             * Format: int64
             * @description Given back for each `unknown`; for information, in credits
             */
            totalRefunded: number;
            /** @description Lines of the ledger */
            transactionCount: number;
            /**
             * Format: date-time
             * @description When the last of them was written; null: there is none
             */
            lastTransactionAt: string | null;
        };
        /**
         * @description Why there is no answer
         * @example {
         *       "success": false,
         *       "error": "API key invalid or revoked",
         *       "message": "API key invalid or revoked",
         *       "code": "api_key_invalid",
         *       "requestId": "req_1f0c"
         *     }
         */
        Error: {
            /**
             * @description Always false
             * @enum {boolean}
             */
            success: false;
            /** @description What is wrong, for people. The words may change */
            error: string;
            /** @description The same text as `error`, for clients that read this field */
            message: string;
            code: components["schemas"]["ErrorCode"];
            /**
             * @description The name of the request, as in X-Request-Id: tell it when you ask us about the answer
             * @example req_1f0c
             */
            requestId: string;
            /** @description Where one field, query parameter or header is wrong: its name, such as `emails[3]` */
            param?: string;
            /** @description Beside `param`: the page of the call in the reference */
            docs?: string;
        };
        /**
         * @description A stable word for programs: those of each status are in the examples of its answer. New ones may come: go by the status then
         * @example job_not_completed
         */
        ErrorCode: string;
        /**
         * @description The work needs more credits than are available
         * @example {
         *       "success": false,
         *       "error": "Insufficient credits: 17 required, 5 available",
         *       "message": "Insufficient credits: 17 required, 5 available",
         *       "code": "insufficient_credits",
         *       "requestId": "req_1f0c",
         *       "required": 17,
         *       "available": 5
         *     }
         */
        InsufficientCredits: components["schemas"]["Error"] & {
            /**
             * Format: int64
             * @description What the work needs, in credits
             */
            required: number;
            /**
             * Format: int64
             * @description What there is, in credits
             */
            available: number;
        };
        /**
         * @description The job or task is not in the required state, or the Idempotency-Key was used otherwise
         * @example {
         *       "success": false,
         *       "error": "The job is processing, not completed",
         *       "message": "The job is processing, not completed",
         *       "code": "job_not_completed",
         *       "requestId": "req_1f0c",
         *       "status": "processing"
         *     }
         */
        NotReady: components["schemas"]["Error"] & {
            status?: components["schemas"]["JobStatus"];
        };
        /**
         * @description The window is used up: wait RateLimit-Reset seconds
         * @example {
         *       "success": false,
         *       "message": "Developer API rate limit exceeded"
         *     }
         */
        RateLimited: {
            /**
             * @description Always false
             * @enum {boolean}
             */
            success: false;
            /** @description What is wrong, for people */
            message: string;
        };
        /**
         * @description What is known of one address
         * @example {
         *       "email": "info@acme.com",
         *       "is_valid": true,
         *       "status": "deliverable",
         *       "risk_level": "medium",
         *       "deliverability_score": 90,
         *       "action": "send",
         *       "did_you_mean": null,
         *       "canonical_email": "info@acme.com",
         *       "retry_after": null,
         *       "details": {
         *         "general": {
         *           "domain": "acme.com",
         *           "reason": "The mail server accepts this mailbox",
         *           "validation_method": "smtp"
         *         },
         *         "attributes": {
         *           "free_email": false,
         *           "role_account": true,
         *           "disposable": false,
         *           "catch_all": false,
         *           "has_plus_tag": false,
         *           "mailbox_full": false,
         *           "no_reply": false,
         *           "privacy_relay": false,
         *           "gibberish": false
         *         },
         *         "mail_server": {
         *           "smtp_provider": "google",
         *           "mx_record": "aspmx.l.google.com",
         *           "implicit_mx": null,
         *           "gateway": null
         *         },
         *         "sub_status": "accepted_email"
         *       },
         *       "verified_at": "2026-07-01T10:00:08.000Z"
         *     }
         */
        Verification: {
            /** @description The address as given, trimmed, the domain in lower case */
            email: string;
            /** @description Whether `status` is `deliverable` */
            is_valid: boolean;
            /**
             * @description The answer. These four words stay as they are
             * @enum {string}
             */
            status: "deliverable" | "undeliverable" | "risky" | "unknown";
            /**
             * @description How risky a message to the address is; never at odds with status
             * @enum {string}
             */
            risk_level: "low" | "medium" | "high";
            /** @description How likely a message arrives, 0 to 100. 80 and above is `deliverable`, 20 and below `undeliverable`, never otherwise. On a catch-all domain it is `catch_all_score`; in a row of a list whose status a later task does not change, the nearest score of that status */
            deliverability_score: number;
            /**
             * @description What to do before a message is sent: `send` to what is `deliverable`, `drop` what is `undeliverable`, `retry` an `unknown` after `retry_after` seconds, `hold` what is `risky` and every other `unknown`. A form lets `hold` and `retry` in. These four words stay as they are
             * @enum {string}
             */
            action: "send" | "hold" | "retry" | "drop";
            /** @description The address at a large provider that was probably meant; null: no such slip */
            did_you_mean: string | null;
            /** @description The same mailbox by the rules of its operator: at Gmail without dots and tag; without a plus tag and in lower case where the operator reads it so; otherwise the address */
            canonical_email: string;
            /** @description Of an `unknown` that another question may change: after how many seconds to ask; null otherwise */
            retry_after: number | null;
            /** @description Why the answer is what it is */
            details: {
                /** @description What was decided, and by what */
                general: {
                    /** @description The domain, in lower case and in A-labels (`xn--…`) */
                    domain: string;
                    /** @description Why the status is what it is, in plain words for people */
                    reason: string;
                    /**
                     * @description What decided: a conversation with the mail server, the DNS, or a list of ours
                     * @enum {string}
                     */
                    validation_method: "smtp" | "dns" | "list";
                };
                /** @description What is known of the address, whatever its status */
                attributes: {
                    /** @description Whether the domain is a provider of free mailboxes */
                    free_email: boolean;
                    /** @description Whether the name is that of a role: `info`, `sales` */
                    role_account: boolean;
                    /** @description Whether the domain belongs to a service of throw-away mailboxes */
                    disposable: boolean;
                    /** @description Whether the domain accepts every address; null: not checked, or not known */
                    catch_all: boolean | null;
                    /** @description Whether the name has a tag: `jane+lists` */
                    has_plus_tag: boolean;
                    /** @description Whether the mailbox is over its quota; null: not checked, or not known */
                    mailbox_full: boolean | null;
                    /** @description Whether the name says that the mailbox is never read: `noreply` */
                    no_reply: boolean;
                    /** @description Whether the domain forwards to hidden mailboxes of real people, as DuckDuckGo and Firefox Relay do */
                    privacy_relay: boolean;
                    /** @description Whether the name was typed at random: `hfjsdkfh`; null: not known, as in scripts that we do not judge */
                    gibberish: boolean | null;
                };
                /** @description Who receives the mail of the domain */
                mail_server: {
                    smtp_provider: components["schemas"]["SmtpProvider"];
                    /** @description The mail exchanger of the domain; null without an MX record */
                    mx_record: string | null;
                    /** @description Without MX records, the host that takes the mail instead (RFC 5321 §5.1); otherwise null */
                    implicit_mx: string | null;
                    gateway: components["schemas"]["Gateway"];
                };
                /** @description Why, as a word for programs. An open list of words, so far: `accepted_email`, `catch_all_valid`, `invalid_domain`, `no_mx_records`, `does_not_accept_mail`, `unroutable_mx`, `rejected_email`, `mailbox_disabled`, `catch_all_invalid`, `disposable`, `catch_all`, `mailbox_full`, `possible_typo`, `timeout`, `no_connect`, `unavailable_smtp`, `greylisted`, `rate_limited`, `antispam_system`, `filtered_or_missing`, `gateway_protected`, `catch_all_unresolved`, `probe_blocked`, `tls_required`, `dns_error`, `smtputf8_unsupported`, `no_capacity`, `not_asked`, `accepts_everything`, `opted_out`, `free_limit`, `unexpected_error`. */
                sub_status: string;
            };
            /**
             * Format: date-time
             * @description When the answer was found, UTC
             */
            verified_at: string;
            /** @description On a catch-all domain where the deeper check ran: how likely the mailbox exists, 0 to 100 */
            catch_all_score?: number;
            /**
             * @description On a catch-all domain where the deeper check ran: what it found
             * @enum {string}
             */
            catch_all_verdict?: "valid" | "invalid" | "unknown";
            /** @description The address, where the call sent more than that: a name before it, or `mailto:` */
            read_as?: string;
            /** @description The steps that led to the answer; only where the call asks for them */
            evidence?: components["schemas"]["Evidence"][];
        };
        /** @description Who runs the mail server; null: not known. An open list of words, so far: `a1`, `abv`, `addy`, `alibaba`, `allinkl`, `amazon`, `apple`, `aruba`, `asp_bgld`, `atmail`, `att`, `au`, `beget`, `biglobe`, `bigpond`, `bluewin`, `bon`, `bt`, `cablelink`, `cdmon`, `centrum`, `charter`, `china_mobile`, `cloudfilter`, `cloudflare`, `cnv`, `cologlobal`, `combell`, `comcast`, `docomo`, `domainfactory`, `dreamhost`, `dyn`, `easyname`, `elkdata`, `endurance`, `ewetel`, `exclusivehosting`, `facebook`, `fastmail`, `flashnet`, `forwardemail`, `free`, `freenet`, `gandi`, `gemdat`, `gmx`, `godaddy`, `goneo`, `google`, `hallo_cloud`, `hetzner`, `hey`, `hiway`, `hostedmxserver`, `hostinger`, `hostopia`, `hostpoint`, `improvmx`, `infomaniak`, `interia`, `intermedia`, `ionos`, `ixwebhosting`, `jimdo`, `kabelplus`, `kagoya`, `kakao`, `kpn`, `laposte`, `lark`, `lgbs`, `libero`, `liquidnet`, `locaweb`, `loopia`, `magenta`, `mailbox_org`, `mailgun`, `mailru`, `microsoft`, `migadu`, `mittwald`, `mxroute`, `mynet`, `namecheap`, `naver`, `net4you`, `netcup`, `netease`, `netvigator`, `node4web`, `norlys`, `one`, `onet`, `open_xchange`, `opensrs`, `orange`, `ovh`, `pair`, `posteo`, `proton`, `rackspace`, `rambler`, `rediff`, `reg_ru`, `register_com`, `register_it`, `riepert`, `ris`, `runbox`, `salzburg`, `sapo`, `sendgrid`, `serviciodecorreo`, `seznam`, `sfr`, `simnet`, `simplelogin`, `sina`, `siteground`, `softbank`, `sohu`, `stackmail`, `startmail`, `strato`, `styrion`, `talktalk`, `telekom`, `telenet`, `telia`, `telstra`, `tencent`, `terra`, `tim`, `timeweb`, `tiscali`, `titan`, `tuta`, `ukr_net`, `united_domains`, `uol`, `viennaweb`, `webde`, `wien`, `wp`, `wvnet`, `yahoo`, `yandex`, `ziggo`, `zoho`, `zone`. */
        SmtpProvider: string | null;
        /** @description The mail security gateway in front of the mailboxes; null: none is known. An open list of words, so far: `abxsec`, `altospam`, `anti_spam_premium`, `appriver`, `barracuda`, `centera`, `cisco`, `cleanmail`, `cloudflare`, `d_fence`, `dts`, `europeanmx`, `expurgate`, `firstwave`, `forcepoint`, `fortinet`, `heimdal`, `hornetsecurity`, `iberlayer`, `iij`, `ikarus`, `libraesva`, `mailchannels`, `mailguard`, `mailinblack`, `mailprotector`, `mailroute`, `mimecast`, `mpssec`, `nospamproxy`, `perception_point`, `postini`, `proofpoint`, `retarus`, `secmail`, `secumail`, `secure_mailgate`, `secure_shield`, `securemx`, `securence`, `secuserve`, `seppmail`, `siminn`, `smx`, `sophos`, `spambusters`, `spamexperts`, `spamhero`, `spamstopshere`, `spamtador`, `spamtitan`, `spamvor`, `staysecure`, `suantispam`, `symantec`, `telefonica`, `topsec`, `trellix`, `trendmicro`, `trustwave`, `vade`, `vipre`. */
        Gateway: string | null;
        /** @description One step that led to an answer */
        Evidence: {
            /** @description What happened. An open list of words, so far: `dns`, `list`, `connect`, `banner`, `ehlo`, `tls`, `mail`, `rcpt`, `rule`, `score`. */
            step: string;
            /** @description When, in milliseconds since the examination began */
            at_ms: number;
            /** @description The mail server */
            host?: string;
            /** @description The code of its reply */
            code?: number;
            /** @description The enhanced status of its reply, such as `5.1.1` (RFC 3463) */
            enhanced?: string;
            /** @description What was found or replied, printable and cut off. Our own names and IP addresses are replaced by `[ours]` and `[address]` */
            text?: string;
            /** @description The rule of ours that read it. Rules come and go */
            rule?: string;
            /** @description Where the rule stands */
            source?: string;
            /** @description Where no rule knows the words: how likely they say that there is no such mailbox */
            likelihood?: number;
        };
        /**
         * @description The address to verify
         * @example {
         *       "email": "info@acme.com"
         *     }
         */
        VerifyRequest: {
            /** @description The address, up to 254 octets. White space around it, a name before it (`Jane <jane@acme.com>`) and `mailto:` are ignored */
            email: string;
            /**
             * @description How thorough: `full`, which is the default, or `quick`. `quick` asks no mail server: syntax, lists and DNS decide, in milliseconds. What they leave open is `unknown` (`not_asked`) and free
             * @enum {string}
             */
            mode?: "full" | "quick";
            /** @description The most that you wait, in milliseconds. If the mail server has not answered by then, the answer is `unknown` (`timeout`) and free, and the question goes on: the next call for the address within ten minutes gets its end, charged as usual. Left out: as long as it takes, up to 30 seconds */
            timeoutMs?: number;
            /** @description Whether the answer holds `evidence`: the steps that led to it. Left out: false */
            explain?: boolean;
        };
        /**
         * @description The reports on domains
         * @example {
         *       "results": [
         *         {
         *           "domain": "acme.com",
         *           "exists": true,
         *           "accepts_mail": true,
         *           "mx": [
         *             "aspmx.l.google.com",
         *             "alt1.aspmx.l.google.com"
         *           ],
         *           "smtp_provider": "google",
         *           "gateway": null,
         *           "catch_all": false,
         *           "catch_all_checked_at": "2026-07-01T10:00:08.000Z",
         *           "disposable": false,
         *           "free": false,
         *           "did_you_mean": null,
         *           "told_at_rcpt": true
         *         }
         *       ]
         *     }
         */
        DomainReports: {
            /** @description A report for each domain, in the order sent */
            results: components["schemas"]["DomainReport"][];
        };
        /** @description What is known of a domain without asking its mail servers */
        DomainReport: {
            /** @description The domain in lower case and A-labels (`xn--…`); what is no domain as it was sent, trimmed */
            domain: string;
            /** @description Whether the domain exists; null: its name servers gave no answer in time */
            exists: boolean | null;
            /** @description Whether the domain names mail servers, or has an address of its own that takes their place (RFC 5321 §5.1); null: no answer in time */
            accepts_mail: boolean | null;
            /** @description Its mail exchangers, the best first, at most 5; empty without MX records */
            mx: string[];
            smtp_provider: components["schemas"]["SmtpProvider"];
            gateway: components["schemas"]["Gateway"];
            /** @description Whether the domain accepted every address when we last asked its mail server; null: nothing is remembered */
            catch_all: boolean | null;
            /**
             * Format: date-time
             * @description When that was, UTC; null: not remembered
             */
            catch_all_checked_at: string | null;
            /** @description Whether the domain belongs to a service of throw-away mailboxes */
            disposable: boolean;
            /** @description Whether the domain is a provider of free mailboxes */
            free: boolean;
            /** @description The large provider that was probably meant; null: no such slip */
            did_you_mean: string | null;
            /** @description Whether its mail servers tell mailboxes that exist from others; false where they accept everything, null where we do not know */
            told_at_rcpt: boolean | null;
        };
        /**
         * @description The domains to look up
         * @example {
         *       "domains": [
         *         "acme.com"
         *       ]
         *     }
         */
        DomainsRequest: {
            /** @description The domains. What is no domain is answered, too: it does not exist */
            domains: string[];
        };
        Success: {
            /**
             * @description Always true
             * @enum {boolean}
             */
            success: true;
            /** @description About the request */
            meta: {
                /**
                 * @description The name of the request, as in X-Request-Id: tell it when you ask us about the answer
                 * @example req_1f0c
                 */
                requestId: string;
            };
        };
        /**
         * @description The list to verify
         * @example {
         *       "emails": [
         *         "info@acme.com",
         *         "jane@acme.com"
         *       ],
         *       "name": "July list",
         *       "validationFlags": {
         *         "auto_catchall_rescue": true
         *       }
         *     }
         */
        BatchRequest: {
            /** @description The addresses. Duplicates and malformed ones are removed, and counted in the answer */
            emails: string[];
            /** @description A name for people, shown in the dashboard */
            name?: string | null;
            /**
             * @description What counts once. `address`, which is the default: repetitions ignoring case. `mailbox`: other spellings of a mailbox are duplicates, too, such as `j.doe+x@gmail.com` of `jdoe@gmail.com`, by the rules of large providers at their own domains. `rejected` names each, with the element that it repeats
             * @enum {string}
             */
            dedupe?: "address" | "mailbox";
            /** @description What the job is to do beside verifying. Other flags are ignored */
            validationFlags?: {
                /** @description Run the deep check on catch-all addresses too, in the same job: each row is then what POST /v1/verify would say, and an `unknown` is refunded */
                auto_catchall_rescue?: boolean;
            } | null;
        };
        /** @description A page of a job's results */
        ResultsPage: {
            /**
             * @description The job in short
             * @example {
             *       "jobId": "job_1f0c",
             *       "status": "completed",
             *       "name": "July list",
             *       "totalEmails": 2,
             *       "processedEmails": 2,
             *       "completedAt": "2026-07-01T10:00:08.000Z",
             *       "resultsExpiresAt": "2026-07-03T10:00:08.000Z"
             *     }
             */
            job: {
                /** @description The id of the job, for its paths */
                jobId: string;
                status: components["schemas"]["JobStatus"];
                /** @description The name that was given with it; null: none */
                name: string | null;
                /** @description Addresses to verify */
                totalEmails: number;
                /** @description Addresses that have their answer */
                processedEmails: number;
                /**
                 * Format: date-time
                 * @description When it ended, UTC; null while it runs
                 */
                completedAt: string | null;
                /**
                 * Format: date-time
                 * @description Until when results are kept, UTC; null before it is completed
                 */
                resultsExpiresAt: string | null;
            };
            /** @description The rows, in the order in which the addresses were sent */
            results: components["schemas"]["Row"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description The verification of one address of a job
         * @example {
         *       "index": 0,
         *       "email": "info@acme.com",
         *       "is_valid": true,
         *       "status": "deliverable",
         *       "risk_level": "medium",
         *       "deliverability_score": 90,
         *       "action": "send",
         *       "did_you_mean": null,
         *       "canonical_email": "info@acme.com",
         *       "retry_after": null,
         *       "details": {
         *         "general": {
         *           "domain": "acme.com",
         *           "reason": "The mail server accepts this mailbox",
         *           "validation_method": "smtp"
         *         },
         *         "attributes": {
         *           "free_email": false,
         *           "role_account": true,
         *           "disposable": false,
         *           "catch_all": false,
         *           "has_plus_tag": false,
         *           "mailbox_full": false,
         *           "no_reply": false,
         *           "privacy_relay": false,
         *           "gibberish": false
         *         },
         *         "mail_server": {
         *           "smtp_provider": "google",
         *           "mx_record": "aspmx.l.google.com",
         *           "implicit_mx": null,
         *           "gateway": null
         *         },
         *         "sub_status": "accepted_email"
         *       },
         *       "verified_at": "2026-07-01T10:00:08.000Z"
         *     }
         */
        Row: components["schemas"]["Verification"] & {
            /** @description Position among the accepted addresses of the job, from 0 */
            index: number;
        };
        /**
         * @description Which page this is, of how many
         * @example {
         *       "total": 1,
         *       "page": 1,
         *       "limit": 25,
         *       "pages": 1,
         *       "hasNextPage": false
         *     }
         */
        Pagination: {
            /** @description Rows of all pages, after the filter */
            total: number;
            /** @description This page, from 1 */
            page: number;
            /** @description Rows of a full page */
            limit: number;
            /** @description Pages there are */
            pages: number;
            /** @description Whether another page follows */
            hasNextPage: boolean;
        };
        /** @description A page of the account's jobs */
        JobsPage: {
            /** @description The jobs, newest first */
            jobs: components["schemas"]["Job"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A page of what was taken out of a list */
        RejectedPage: {
            /** @description The elements, in the order of the list */
            rejected: components["schemas"]["Rejected"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description An element of the list that is not verified
         * @example {
         *       "index": 2,
         *       "value": "Info@Acme.com",
         *       "reason": "duplicate",
         *       "duplicateOf": 0
         *     }
         */
        Rejected: {
            /** @description Position in `emails` as sent, from 0 */
            index: number;
            /** @description As sent; a text over 1,000 characters is cut */
            value: string;
            /**
             * @description Why it was taken out
             * @enum {string}
             */
            reason: "duplicate" | "malformed";
            /** @description Of a duplicate, the position of the element that it repeats; else null */
            duplicateOf: number | null;
        };
        /** @description A page of the account's catch-all tasks */
        TasksPage: {
            /** @description The tasks, newest first */
            tasks: components["schemas"]["CatchAllTask"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description Whose catch-all addresses to verify again
         * @example {
         *       "jobId": "job_1f0c",
         *       "name": "July list, catch-all"
         *     }
         */
        CatchAllRequest: {
            /** @description A completed job of this account, whose results have not expired */
            jobId: string;
            /** @description A name for people, shown in the dashboard */
            name?: string | null;
        };
        /** @description A page of a task's results */
        VerdictsPage: {
            /**
             * @description The task in short
             * @example {
             *       "taskId": "cat_1f0c",
             *       "status": "completed",
             *       "totalEmails": 2,
             *       "verdictCounts": {
             *         "valid": 1,
             *         "invalid": 1,
             *         "unknown": 0
             *       },
             *       "resultsExpiresAt": "2026-07-03T10:00:08.000Z"
             *     }
             */
            task: {
                /** @description The id of the task, for its paths */
                taskId: string;
                status: components["schemas"]["JobStatus"];
                /** @description Addresses to verify */
                totalEmails: number;
                /** @description How many addresses have which verdict, live */
                verdictCounts: {
                    /** @description Addresses judged to exist */
                    valid: number;
                    /** @description Addresses judged not to exist */
                    invalid: number;
                    /** @description Addresses on which the evidence does not decide, refunded */
                    unknown: number;
                };
                /**
                 * Format: date-time
                 * @description Until when results are kept, UTC; null before it is completed
                 */
                resultsExpiresAt: string | null;
            };
            /** @description The rows, in the order of the job */
            results: components["schemas"]["CatchAllVerdict"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description What the deeper verification found about one address
         * @example {
         *       "email": "jane@catch-all.example",
         *       "score": 87,
         *       "verdict": "valid",
         *       "is_actually_catchall": true,
         *       "breakdown": {
         *         "model": "catchall-scorecard/2.0.0",
         *         "base": 70,
         *         "domain_triage": {
         *           "score": 12,
         *           "signals": [
         *             "provider:google",
         *             "dmarc:reject"
         *           ]
         *         },
         *         "domain_age": {
         *           "score": 1,
         *           "signals": [
         *             "age:15y"
         *           ]
         *         },
         *         "mailbox": {
         *           "score": 4,
         *           "signals": [
         *             "shape:first"
         *           ]
         *         },
         *         "smtp": {
         *           "score": 0,
         *           "signals": [
         *             "randoms:accepted"
         *           ]
         *         },
         *         "public_evidence": {
         *           "score": 0,
         *           "signals": []
         *         },
         *         "list": {
         *           "score": 0,
         *           "signals": []
         *         },
         *         "explanations": [
         *           {
         *             "signal": "provider:google",
         *             "effect": 11,
         *             "text": "The mail server (Google) refuses unknown recipients."
         *           },
         *           {
         *             "signal": "shape:first",
         *             "effect": 4,
         *             "text": "The mailbox name contains a known name."
         *           },
         *           {
         *             "signal": "dmarc:reject",
         *             "effect": 1,
         *             "text": "DMARC policy “reject”: the domain manages its mail."
         *           },
         *           {
         *             "signal": "age:15y",
         *             "effect": 1,
         *             "text": "The domain was registered 15 years ago."
         *           }
         *         ],
         *         "coverage": 0.8
         *       }
         *     }
         */
        CatchAllVerdict: {
            /** @description The address, as in the results of the job */
            email: string;
            /** @description How likely the mailbox exists, 0 to 100 */
            score: number;
            /**
             * @description What the score amounts to
             * @enum {string}
             */
            verdict: "valid" | "invalid" | "unknown";
            /** @description Whether the domain still accepts every address; null: not known */
            is_actually_catchall: boolean | null;
            breakdown: components["schemas"]["Breakdown"];
        };
        /** @description How the score is made up: base and the scores of the six sections add up to it, and so do base and all effects */
        Breakdown: {
            /** @description Domain screening and the route of its mail */
            domain_triage: {
                /** @description By how much the section moves the score, in points, up or down */
                score: number;
                /** @description All that was measured, neutral findings too */
                signals: string[];
            };
            /** @description How long the domain has existed */
            domain_age: {
                /** @description By how much the section moves the score, in points, up or down */
                score: number;
                /** @description All that was measured, neutral findings too */
                signals: string[];
            };
            /** @description How much the part before the @ looks like a mailbox of this domain */
            mailbox: {
                /** @description By how much the section moves the score, in points, up or down */
                score: number;
                /** @description All that was measured, neutral findings too */
                signals: string[];
            };
            /** @description What the mail server says of this address beside others */
            smtp: {
                /** @description By how much the section moves the score, in points, up or down */
                score: number;
                /** @description All that was measured, neutral findings too */
                signals: string[];
            };
            /** @description Where the address or its name is published */
            public_evidence: {
                /** @description By how much the section moves the score, in points, up or down */
                score: number;
                /** @description All that was measured, neutral findings too */
                signals: string[];
            };
            /** @description What became of the account’s own message to the address */
            list: {
                /** @description By how much the section moves the score, in points, up or down */
                score: number;
                /** @description All that was measured, neutral findings too */
                signals: string[];
            };
            /** @description The name and version of the scorecard */
            model: string;
            /** @description Where every score begins, in points */
            base: number;
            /** @description The findings that moved the score, the strongest first, then the rule */
            explanations: {
                /** @description The label of the finding */
                signal: string;
                /** @description By how much the finding moves the score, up or down: the same number in every score. Labels that begin with gate:, unknown: or held: have the difference where a rule set or held the score */
                effect: number;
                /** @description What was found, in plain words */
                text: string;
            }[];
            /** @description The share of the evidence that could be measured, 0 to 1 */
            coverage: number;
        };
        /** @description The webhooks of the account, and what holds for all of them */
        WebhookList: {
            /** @description All of the account, the oldest first */
            webhooks: components["schemas"]["Webhook"][];
            /**
             * Format: int64
             * @description `credits.low` is sent when the balance falls below this, in credits; null: never
             */
            creditsLowBelow: number | null;
        };
        /**
         * @description A URL of yours that receives events
         * @example {
         *       "webhookId": "whk_1f0c",
         *       "url": "https://shop.example/hooks/mailsonar",
         *       "events": [
         *         "job.completed",
         *         "job.failed"
         *       ],
         *       "enabled": true,
         *       "disabledBecause": null,
         *       "disabledAt": null,
         *       "failingSince": null,
         *       "formerSecretUntil": null,
         *       "createdAt": "2026-07-01T09:00:00.000Z"
         *     }
         */
        Webhook: {
            /**
             * @description The id of the webhook, for its paths
             * @example whk_1f0c
             */
            webhookId: string;
            /** @description Where events are sent to */
            url: string;
            /** @description The events that it receives */
            events: string[];
            /** @description Whether events are sent to it */
            enabled: boolean;
            /** @description Why it is disabled, `owner`: as you said; `gone`: it answered 410; `failing`: nothing arrived for five days; null: it is not. An open list of words, so far: `owner`, `gone`, `failing`. */
            disabledBecause: string | null;
            /**
             * Format: date-time
             * @description When it was disabled, UTC; null: it is not
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description Since when no attempt has succeeded, UTC; null: the last one did, or none was made
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Until when the secret from before the last rotation signs too, UTC; null: it was never rotated
             */
            formerSecretUntil: string | null;
            /**
             * Format: date-time
             * @description When it was added, UTC
             */
            createdAt: string;
        };
        /**
         * @description A webhook with the secret that was just made for it
         * @example {
         *       "webhookId": "whk_1f0c",
         *       "url": "https://shop.example/hooks/mailsonar",
         *       "events": [
         *         "job.completed",
         *         "job.failed"
         *       ],
         *       "enabled": true,
         *       "disabledBecause": null,
         *       "disabledAt": null,
         *       "failingSince": null,
         *       "formerSecretUntil": null,
         *       "createdAt": "2026-07-01T09:00:00.000Z",
         *       "secret": "whsec_VGhpcyBpcyBhbiBleGFtcGxlLCBubyBzZWNyZXQuLi4="
         *     }
         */
        WebhookWithSecret: components["schemas"]["Webhook"] & {
            /** @description Signs what is sent to it. Shown only now: `whsec_` and 32 bytes in base 64 */
            secret: string;
        };
        /**
         * @description Where to be told, and of what
         * @example {
         *       "url": "https://shop.example/hooks/mailsonar",
         *       "events": [
         *         "job.completed",
         *         "job.failed"
         *       ]
         *     }
         */
        WebhookRequest: {
            /** @description https, port 443 or 8443, at public addresses */
            url: string;
            /** @description The events that it receives. Left out of a new webhook: all that there are now */
            events?: ("job.completed" | "job.failed" | "catchall.completed" | "catchall.failed" | "credits.low")[];
        };
        /**
         * @description What holds for all webhooks
         * @example {
         *       "creditsLowBelow": 500
         *     }
         */
        WebhookSettings: {
            /**
             * Format: int64
             * @description `credits.low` is sent when the balance falls below this, in credits; null: never
             */
            creditsLowBelow: number | null;
        };
        /**
         * @description What to change. What is left out stays
         * @example {
         *       "events": [
         *         "job.completed",
         *         "catchall.completed"
         *       ]
         *     }
         */
        WebhookChange: {
            /** @description https, port 443 or 8443, at public addresses */
            url?: string;
            /** @description The events that it receives. Left out of a new webhook: all that there are now */
            events?: ("job.completed" | "job.failed" | "catchall.completed" | "catchall.failed" | "credits.low")[];
            /** @description Whether events are sent to it. False ends the deliveries that wait */
            enabled?: boolean;
        };
        /**
         * @description An event on its way to one webhook
         * @example {
         *       "eventId": "evt_1f0c",
         *       "type": "job.completed",
         *       "status": "delivered",
         *       "attempts": 1,
         *       "createdAt": "2026-07-01T10:00:08.000Z",
         *       "nextAttemptAt": null,
         *       "lastAttemptAt": "2026-07-01T10:00:08.120Z",
         *       "lastStatusCode": 204,
         *       "lastError": null
         *     }
         */
        WebhookDelivery: {
            /** @description The id of the event, and its header webhook-id: the same at each attempt */
            eventId: string;
            /** @description What happened. An open list of words, so far: `job.completed`, `job.failed`, `catchall.completed`, `catchall.failed`, `credits.low`, `webhook.test`. */
            type: string;
            /**
             * @description `waiting`: another attempt follows; `delivered`: an answer of 2xx; `failed`: given up
             * @enum {string}
             */
            status: "waiting" | "delivered" | "failed";
            /** @description Attempts so far. A replay starts again */
            attempts: number;
            /**
             * Format: date-time
             * @description When it happened, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it is sent next, UTC; null: it is not
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was last sent, UTC; null: not yet
             */
            lastAttemptAt: string | null;
            /** @description The HTTP status of the last answer; null: there was none */
            lastStatusCode: number | null;
            /** @description Why there was no answer, for people; null: there was one, or nothing was sent yet */
            lastError: string | null;
        };
        /** @description A page of what was and will be sent to a webhook */
        WebhookDeliveryPage: {
            /** @description The newest first */
            deliveries: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description What was recorded
         * @example {
         *       "accepted": 2,
         *       "recorded": 2,
         *       "unchanged": 0,
         *       "expired": 0
         *     }
         */
        Feedback: {
            /** @description Outcomes in the request: recorded + unchanged + expired */
            accepted: number;
            /** @description New, or newer than what was known of the address */
            recorded: number;
            /** @description Known already, or older than what is known */
            unchanged: number;
            /** @description So old that they would not decide any more */
            expired: number;
        };
        /**
         * @description What became of your messages
         * @example {
         *       "outcomes": [
         *         {
         *           "email": "jane@acme.com",
         *           "outcome": "delivered",
         *           "at": "2026-11-21T10:00:00.000Z"
         *         },
         *         {
         *           "email": "john@acme.com",
         *           "outcome": "hard_bounce"
         *         }
         *       ]
         *     }
         */
        FeedbackRequest: {
            /** @description The outcomes, at most one of them counts for each address: the newest */
            outcomes: {
                /** @description The address of the message */
                email: string;
                /**
                 * @description `delivered`: no bounce within three days; it decides for 90 days. `hard_bounce`: the recipient's server refused the mailbox for good; it decides for 180 days. Leave out blocks, spam verdicts and full mailboxes
                 * @enum {string}
                 */
                outcome: "delivered" | "hard_bounce";
                /**
                 * Format: date-time
                 * @description When that was, UTC; without it, now
                 */
                at?: string | null;
            }[];
        };
    };
    responses: {
        /** @description Missing or invalid parameters */
        Error400: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description API key missing, invalid, revoked or expired */
        Error401: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Insufficient credits */
        Error402: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientCredits"];
            };
        };
        /** @description The key was made for other calls */
        Error403: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not found in this account */
        Error404: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path exists with another method; Allow names those it has */
        Error405: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not in the required state, or an Idempotency-Key used for another request */
        Error409: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotReady"];
            };
        };
        /** @description The results have expired */
        Error410: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
        Error429: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimited"];
            };
        };
        /** @description Our own failure; nothing was charged */
        Error500: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An upstream service answered nonsense */
        Error502: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Temporarily unavailable; Retry-After says when to try again */
        Error503: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The id of the job */
        jobId: string;
        /** @description The id of the task */
        taskId: string;
        /** @description The id of the webhook */
        webhookId: string;
        /** @description The id of the event */
        eventId: string;
        /** @description Which page, from 1 */
        page: number;
        /** @description Rows on a page */
        limit: number;
        /** @description Makes a retry safe: the same key with the same body gets the first answer again. 1 to 255 printable ASCII characters, kept for 48 hours, and at least as long as results */
        "Idempotency-Key": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Requests per window
         * @example 300
         */
        "RateLimit-Limit": number;
        /**
         * @description Requests left in this window
         * @example 299
         */
        "RateLimit-Remaining": number;
        /**
         * @description Whole seconds until the window resets
         * @example 900
         */
        "RateLimit-Reset": number;
        /**
         * @description The name of the request: tell it when you ask us about the answer
         * @example req_1f0c
         */
        "X-Request-Id": string;
        /**
         * @description Whole seconds to wait before trying again
         * @example 10
         */
        "Retry-After": number;
        /**
         * @description How to authenticate (RFC 9110 §11.6.1)
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description The methods of this path
         * @example GET, HEAD
         */
        Allow: string;
        /**
         * @description Sent with a repeated answer: nothing was made or charged again
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description The name of the file
         * @example attachment; filename="cat_1f0c.csv"
         */
        "Content-Disposition": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    verifyAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key with the same body gets the first answer again. 1 to 255 printable ASCII characters, kept for 48 hours, and at least as long as results */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description The verification */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Verification"];
                        /** @description About the request */
                        meta: {
                            /**
                             * @description The name of the request, as in X-Request-Id: tell it when you ask us about the answer
                             * @example req_1f0c
                             */
                            requestId: string;
                            /**
                             * Format: int64
                             * @description What this answer cost; 0 for an `unknown`, in credits
                             * @example 1
                             */
                            creditsUsed: number;
                            /**
                             * Format: int64
                             * @description What is available now, in credits
                             * @example 99
                             */
                            creditsRemaining: number;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
        };
    };
    describeDomains: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key with the same body gets the first answer again. 1 to 255 printable ASCII characters, kept for 48 hours, and at least as long as results */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DomainsRequest"];
            };
        };
        responses: {
            /** @description The reports */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["DomainReports"];
                        /** @description About the request */
                        meta: {
                            /**
                             * @description The name of the request, as in X-Request-Id: tell it when you ask us about the answer
                             * @example req_1f0c
                             */
                            requestId: string;
                            /**
                             * Format: int64
                             * @description What this answer cost; 0 for an `unknown`, in credits
                             * @example 1
                             */
                            creditsUsed: number;
                            /**
                             * Format: int64
                             * @description What is available now, in credits
                             * @example 99
                             */
                            creditsRemaining: number;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            502: components["responses"]["Error502"];
            503: components["responses"]["Error503"];
        };
    };
    getCredits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Credits"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key with the same body gets the first answer again. 1 to 255 printable ASCII characters, kept for 48 hours, and at least as long as results */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description The job */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["Job"];
                        /** @description About the request */
                        meta: {
                            /**
                             * @description The name of the request, as in X-Request-Id: tell it when you ask us about the answer
                             * @example req_1f0c
                             */
                            requestId: string;
                            /** @description As in the job */
                            acceptedEmails: number;
                            /** @description As in the job */
                            rejectedEmails: number;
                            /** @description As in the job */
                            duplicateEmails: number;
                            /** @description As in the job */
                            invalidEmails: number;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                jobId: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Job"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                jobId: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are deleted */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getJobResults: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: components["parameters"]["page"];
                /** @description Rows on a page */
                limit?: components["parameters"]["limit"];
                /** @description Rows with this status alone; `catch_all`: those of catch-all domains, whatever their status */
                status?: "deliverable" | "undeliverable" | "risky" | "unknown" | "catch_all";
                /** @description `true`: each row holds the evidence that a list keeps: code and status of the reply, and the rule */
                explain?: "true" | "false";
            };
            header?: never;
            path: {
                /** @description The id of the job */
                jobId: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["ResultsPage"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: components["parameters"]["page"];
                /** @description Rows on a page */
                limit?: components["parameters"]["limit"];
                /** @description Jobs that stand so alone */
                status?: "processing" | "completed" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["JobsPage"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    downloadJob: {
        parameters: {
            query?: {
                /** @description `csv`: a column for each field; `jsonl`: a line of JSON for each address */
                format?: "csv" | "jsonl";
                /** @description Rows with this status alone; `catch_all`: those of catch-all domains, whatever their status */
                status?: "deliverable" | "undeliverable" | "risky" | "unknown" | "catch_all";
            };
            header?: never;
            path: {
                /** @description The id of the job */
                jobId: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example email,status,sub_status,score,risk_level,reason,did_you_mean,free_email,role_account,disposable,catch_all,has_plus_tag,mailbox_full,no_reply,smtp_provider,gateway,mx_record,verified_at,catch_all_score,catch_all_verdict,privacy_relay,gibberish,canonical_email,action,index
                     *     info@acme.com,deliverable,accepted_email,90,medium,The mail server accepts this mailbox,,false,true,false,false,false,false,false,google,,aspmx.l.google.com,2026-07-01T10:00:08.000Z,,,false,false,info@acme.com,send,0
                     */
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getRejected: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: components["parameters"]["page"];
                /** @description Rows on a page */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /** @description The id of the job */
                jobId: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["RejectedPage"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            410: components["responses"]["Error410"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    finishJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                jobId: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Job"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: components["parameters"]["page"];
                /** @description Rows on a page */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["TasksPage"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the same key with the same body gets the first answer again. 1 to 255 printable ASCII characters, kept for 48 hours, and at least as long as results */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CatchAllRequest"];
            };
        };
        responses: {
            /** @description The task */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Always true
                         * @enum {boolean}
                         */
                        success: true;
                        data: components["schemas"]["CatchAllTask"];
                        /** @description About the request */
                        meta: {
                            /**
                             * @description The name of the request, as in X-Request-Id: tell it when you ask us about the answer
                             * @example req_1f0c
                             */
                            requestId: string;
                            /** @description The last task that was made from this job before; null: none */
                            previousTaskId: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            402: components["responses"]["Error402"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the task */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["CatchAllTask"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTaskResults: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: components["parameters"]["page"];
                /** @description Rows on a page */
                limit?: components["parameters"]["limit"];
                /** @description Rows with this verdict alone; `unknown` rows are in neither */
                verdict?: "valid" | "invalid";
            };
            header?: never;
            path: {
                /** @description The id of the task */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["VerdictsPage"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    downloadTask: {
        parameters: {
            query?: {
                /** @description Rows with this verdict alone; `unknown` rows are in neither */
                verdict?: "valid" | "invalid";
            };
            header?: never;
            path: {
                /** @description The id of the task */
                taskId: components["parameters"]["taskId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Email,Score,Verdict
                     *     jane@catch-all.example,87,valid
                     *     joe@catch-all.example,2,invalid
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            410: components["responses"]["Error410"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["WebhookList"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeWebhookSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSettings"];
            };
        };
        responses: {
            /** @description The webhooks */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["WebhookList"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed */
            204: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its delivery */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Which page, from 1 */
                page?: components["parameters"]["page"];
                /** @description Rows on a page */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["WebhookDeliveryPage"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook */
                webhookId: components["parameters"]["webhookId"];
                /** @description The id of the event */
                eventId: components["parameters"]["eventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its delivery */
            202: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            405: components["responses"]["Error405"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    sendFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackRequest"];
            };
        };
        responses: {
            /** @description What was recorded */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Feedback"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            405: components["responses"]["Error405"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "on-job-completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The event */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /**
                     * @description What happened: always this word
                     * @enum {string}
                     */
                    type: "job.completed";
                    data: components["schemas"]["Job"];
                };
            };
        };
        responses: {
            /** @description No more events are wanted: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, and is sent again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on-job-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The event */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /**
                     * @description What happened: always this word
                     * @enum {string}
                     */
                    type: "job.failed";
                    data: components["schemas"]["Job"] & unknown;
                };
            };
        };
        responses: {
            /** @description No more events are wanted: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, and is sent again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on-catchall-completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The event */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /**
                     * @description What happened: always this word
                     * @enum {string}
                     */
                    type: "catchall.completed";
                    data: components["schemas"]["CatchAllTask"];
                };
            };
        };
        responses: {
            /** @description No more events are wanted: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, and is sent again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on-catchall-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The event */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /**
                     * @description What happened: always this word
                     * @enum {string}
                     */
                    type: "catchall.failed";
                    data: components["schemas"]["CatchAllTask"] & unknown;
                };
            };
        };
        responses: {
            /** @description No more events are wanted: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, and is sent again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on-credits-low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The event */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /**
                     * @description What happened: always this word
                     * @enum {string}
                     */
                    type: "credits.low";
                    /**
                     * @description The credits of the account, and the threshold
                     * @example {
                     *       "balance": 98,
                     *       "availableCredits": 98,
                     *       "reservedCredits": 0,
                     *       "totalPurchased": 100,
                     *       "totalConsumed": 2,
                     *       "totalRefunded": 0,
                     *       "transactionCount": 2,
                     *       "lastTransactionAt": "2026-07-01T10:00:08.000Z",
                     *       "creditsLowBelow": 100
                     *     }
                     */
                    data: components["schemas"]["Credits"] & {
                        /**
                         * Format: int64
                         * @description The threshold that the balance fell below, in credits
                         */
                        creditsLowBelow: number;
                    };
                };
            };
        };
        responses: {
            /** @description No more events are wanted: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, and is sent again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on-webhook-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The event */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] & {
                    /**
                     * @description What happened: always this word
                     * @enum {string}
                     */
                    type: "webhook.test";
                    /** @description The webhook that is tried */
                    data: {
                        /**
                         * @description The id of the webhook, for its paths
                         * @example whk_1f0c
                         */
                        webhookId: string;
                    };
                };
            };
        };
        responses: {
            /** @description No more events are wanted: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, and is sent again */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
