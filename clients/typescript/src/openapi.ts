// Made by `npm run update:client-types` from the OpenAPI document.

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
    "/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The credit balance
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
         * Verify up to 50,000 addresses
         * @description Duplicates and malformed addresses are removed. 1 credit per address; each `unknown` is refunded.
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
        /** How a job stands */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
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
        /** A page of results, in the order in which the addresses were sent */
        get: operations["getJobResults"];
        put?: never;
        post?: never;
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
        get?: never;
        put?: never;
        /**
         * Verify a completed job's catch-all addresses again, with a score
         * @description 1 credit per catch-all address of the job; each `unknown` is refunded.
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
        /** How a task stands */
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
        /** A page of scores, each with the breakdown that adds up to it */
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
        /** The scores as CSV: Email, Score, Verdict */
        get: operations["downloadTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Verification: {
            email: string;
            is_valid: boolean;
            /** @enum {string} */
            status: "deliverable" | "undeliverable" | "risky" | "unknown";
            /** @enum {string} */
            risk_level: "low" | "medium" | "high";
            deliverability_score: number;
            did_you_mean: string | null;
            details: {
                general: {
                    domain: string;
                    reason: string;
                    /** @enum {string} */
                    validation_method: "smtp" | "dns" | "list";
                };
                attributes: {
                    free_email: boolean;
                    role_account: boolean;
                    disposable: boolean;
                    /** @description Null: not checked, or not known */
                    catch_all: boolean | null;
                    has_plus_tag: boolean;
                    /** @description Null: not checked, or not known */
                    mailbox_full: boolean | null;
                    no_reply: boolean;
                };
                mail_server: {
                    smtp_provider: string | null;
                    mx_record: string | null;
                    implicit_mx: string | null;
                    gateway: string | null;
                };
                /** @enum {string} */
                sub_status: "accepted_email" | "catch_all_valid" | "invalid_domain" | "no_mx_records" | "does_not_accept_mail" | "unroutable_mx" | "rejected_email" | "mailbox_disabled" | "catch_all_invalid" | "disposable" | "catch_all" | "mailbox_full" | "possible_typo" | "timeout" | "no_connect" | "unavailable_smtp" | "greylisted" | "rate_limited" | "antispam_system" | "gateway_protected" | "catch_all_unresolved" | "probe_blocked" | "tls_required" | "dns_error" | "smtputf8_unsupported" | "no_capacity" | "accepts_everything" | "unexpected_error";
            };
            /** Format: date-time */
            verified_at: string;
            catch_all_score?: number;
            /** @enum {string} */
            catch_all_verdict?: "valid" | "invalid" | "unknown";
        };
        /**
         * @example {
         *       "success": false,
         *       "error": "API key invalid or revoked",
         *       "code": "api_key_invalid",
         *       "requestId": "req_1f0c"
         *     }
         */
        Error: {
            /** @enum {boolean} */
            success: false;
            error: string;
            code: components["schemas"]["ErrorCode"];
            requestId: string;
        };
        /**
         * @description A stable word for programs. New ones may come: go by the status then.
         *     - `invalid_json` (400): The body is not JSON in UTF-8, or it ended too early.
         *     - `unsupported_media_type` (400): The body was announced as something else than JSON.
         *     - `body_too_large` (400): The body is longer than this call takes.
         *     - `invalid_body` (400): The body is JSON, but not the object that this call takes.
         *     - `missing_parameter` (400): A required parameter is missing; the message names it.
         *     - `invalid_parameter` (400): A parameter has a wrong type or is out of bounds; the message names both.
         *     - `invalid_idempotency_key` (400): The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII.
         *     - `malformed_email` (400): The text is not an email address; the message says why. Nothing was charged.
         *     - `no_emails` (400): The list of addresses is empty.
         *     - `too_many_emails` (400): The list has more than 50,000 elements.
         *     - `no_valid_emails` (400): Nothing in the list is a well-formed address.
         *     - `bad_request` (400): The request could not be understood.
         *     - `api_key_missing` (401): The request carries no API key.
         *     - `api_key_invalid` (401): The key is wrong or revoked, its account is shut, or the two headers disagree.
         *     - `insufficient_credits` (402): Fewer credits are available than the work needs: required and available say how many.
         *     - `path_not_found` (404): There is nothing at this path.
         *     - `job_not_found` (404): There is no such job in this account.
         *     - `task_not_found` (404): There is no such catch-all task in this account.
         *     - `method_not_allowed` (405): The path exists with another method.
         *     - `job_not_completed` (409): The job is still being worked on; status says so.
         *     - `job_failed` (409): The job could not be done, so it has no results. It cost nothing.
         *     - `task_not_completed` (409): The catch-all task is still being worked on; status says so.
         *     - `task_failed` (409): The catch-all task could not be done, so it has no results. It cost nothing.
         *     - `idempotency_key_reused` (409): The Idempotency-Key was used for another request.
         *     - `results_expired` (410): The results passed their time, which resultsExpiresAt said, and are deleted.
         *     - `rate_limited` (429): The window is used up. This answer has a message alone.
         *     - `internal_error` (500): We failed. Nothing was charged.
         *     - `upstream_nonsense` (502): The resolver, or the way out to mail servers, gave an answer that makes no sense. Nothing was charged.
         *     - `upstream_unavailable` (503): Something that we depend on does not answer. Nothing was charged.
         *     - `misconfigured` (503): This service is not set up completely. Nothing was charged.
         * @example job_not_completed
         */
        ErrorCode: string;
        /**
         * @example {
         *       "success": false,
         *       "error": "Insufficient credits: 17 required, 5 available",
         *       "code": "insufficient_credits",
         *       "requestId": "req_1f0c",
         *       "required": 17,
         *       "available": 5
         *     }
         */
        InsufficientCredits: {
            /** @enum {boolean} */
            success: false;
            error: string;
            code: components["schemas"]["ErrorCode"];
            requestId: string;
            /** @description Credits that the work needs */
            required: number;
            /** @description Credits that there are */
            available: number;
        };
        /**
         * @example {
         *       "success": false,
         *       "message": "Developer API rate limit exceeded"
         *     }
         */
        RateLimited: {
            /** @enum {boolean} */
            success: false;
            message: string;
        };
        /**
         * @example {
         *       "email": "info@acme.com"
         *     }
         */
        VerifyRequest: {
            email: string;
        };
        Credits: {
            balance: number;
            availableCredits: number;
            reservedCredits: number;
            totalPurchased: number;
            totalConsumed: number;
            totalRefunded: number;
            transactionCount: number;
            /** Format: date-time */
            lastTransactionAt: string | null;
        };
        Job: {
            jobId: string;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            name: string | null;
            submittedEmails: number;
            totalEmails: number;
            acceptedEmails: number;
            /** @description duplicateEmails + invalidEmails */
            rejectedEmails: number;
            /** @description Repetitions of an address, ignoring case and the script of its domain */
            duplicateEmails: number;
            /** @description Malformed and blank elements */
            invalidEmails: number;
            processedEmails: number;
            progress: {
                total: number;
                processed: number;
                percentage: number;
            };
            statusCounts: {
                deliverable: number;
                undeliverable: number;
                risky: number;
                unknown: number;
                catchAll: number;
            };
            /** @description Addresses that wait for a later attempt */
            waitingEmails: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            creditsReserved: number;
            creditsUsed: number;
            creditsRefunded: number;
            validationFlags: {
                /** @description Whether this job runs the deep check on its catch-all rows itself */
                auto_catchall_rescue: boolean;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description While the job runs, by its pace and by the rows that wait; null before anything is measured, and once it has ended
             */
            estimatedCompletionAt: string | null;
            /** Format: date-time */
            resultsExpiresAt: string | null;
            resultsExpired: boolean;
            /** @description The last catch-all task that was made from this job */
            catchAllTaskId: string | null;
            error: string | null;
        };
        /**
         * @example {
         *       "success": false,
         *       "error": "The job is processing, not completed",
         *       "code": "job_not_completed",
         *       "requestId": "req_1f0c",
         *       "status": "processing"
         *     }
         */
        NotReady: {
            /** @enum {boolean} */
            success: false;
            error: string;
            code: components["schemas"]["ErrorCode"];
            requestId: string;
            /** @enum {string} */
            status?: "processing" | "completed" | "failed";
        };
        /**
         * @example {
         *       "emails": [
         *         "info@acme.com",
         *         "jane@acme.com"
         *       ],
         *       "name": "July list"
         *     }
         */
        BatchRequest: {
            emails: string[];
            name?: string | null;
        };
        CatchAllTask: {
            taskId: string;
            sourceJobId: string;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            name: string | null;
            totalEmails: number;
            processedEmails: number;
            progress: {
                total: number;
                processed: number;
                percentage: number;
            };
            creditsRequired: number;
            creditsPerEmail: number;
            creditsUsed: number;
            creditsRefunded: number;
            verdictCounts: {
                valid: number;
                invalid: number;
                unknown: number;
            };
            /** @description Addresses that wait for a later attempt */
            waitingEmails: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            resultsExpiresAt: string | null;
            resultsExpired: boolean;
            error: string | null;
        };
        /**
         * @example {
         *       "jobId": "job_1f0c",
         *       "name": "July list, catch-all"
         *     }
         */
        CatchAllRequest: {
            jobId: string;
            name?: string | null;
        };
        CatchAllVerdict: {
            email: string;
            score: number;
            /** @enum {string} */
            verdict: "valid" | "invalid" | "unknown";
            is_actually_catchall: boolean | null;
            breakdown: components["schemas"]["Breakdown"];
        };
        /** @description base and the scores of the six sections add up to the score; so do base and all effects */
        Breakdown: {
            domain_triage: {
                score: number;
                signals: string[];
            };
            domain_age: {
                score: number;
                signals: string[];
            };
            mailbox: {
                score: number;
                signals: string[];
            };
            smtp: {
                score: number;
                signals: string[];
            };
            public_evidence: {
                score: number;
                signals: string[];
            };
            list: {
                score: number;
                signals: string[];
            };
            model: string;
            base: number;
            explanations: {
                signal: string;
                effect: number;
                text: string;
            }[];
            coverage: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    verifyAddress: {
        parameters: {
            query?: never;
            header?: never;
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
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Verification"];
                        meta: {
                            requestId: string;
                            creditsUsed: number;
                            creditsRemaining: number;
                        };
                    };
                };
            };
            /** @description Missing or invalid parameters */
            400: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient credits */
            402: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An upstream service answered nonsense */
            502: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Credits"];
                        meta: {
                            requestId: string;
                        };
                    };
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the first answer is repeated. Printable ASCII */
                "Idempotency-Key"?: string;
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
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Job"];
                        meta: {
                            requestId: string;
                            acceptedEmails: number;
                            rejectedEmails: number;
                            duplicateEmails: number;
                            invalidEmails: number;
                        };
                    };
                };
            };
            /** @description Missing or invalid parameters */
            400: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient credits */
            402: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description Not in the required state, or an Idempotency-Key used for another request */
            409: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Job"];
                        meta: {
                            requestId: string;
                        };
                    };
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this account */
            404: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJobResults: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                status?: "deliverable" | "undeliverable" | "risky" | "unknown" | "catch_all";
            };
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            job: {
                                jobId: string;
                                /** @enum {string} */
                                status: "processing" | "completed" | "failed";
                                name: string | null;
                                totalEmails: number;
                                processedEmails: number;
                                /** Format: date-time */
                                completedAt: string | null;
                                /** Format: date-time */
                                resultsExpiresAt: string | null;
                            };
                            results: components["schemas"]["Verification"][];
                            pagination: {
                                total: number;
                                page: number;
                                limit: number;
                                pages: number;
                                hasNextPage: boolean;
                            };
                        };
                        meta: {
                            requestId: string;
                        };
                    };
                };
            };
            /** @description Missing or invalid parameters */
            400: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this account */
            404: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not in the required state, or an Idempotency-Key used for another request */
            409: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
            /** @description The results have expired */
            410: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: the first answer is repeated. Printable ASCII */
                "Idempotency-Key"?: string;
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
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CatchAllTask"];
                        meta: {
                            requestId: string;
                        };
                    };
                };
            };
            /** @description Missing or invalid parameters */
            400: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Insufficient credits */
            402: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientCredits"];
                };
            };
            /** @description Not found in this account */
            404: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not in the required state, or an Idempotency-Key used for another request */
            409: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
            /** @description The results have expired */
            410: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task */
            200: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CatchAllTask"];
                        meta: {
                            requestId: string;
                        };
                    };
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this account */
            404: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTaskResults: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                verdict?: "valid" | "invalid";
            };
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            task: {
                                taskId: string;
                                /** @enum {string} */
                                status: "processing" | "completed" | "failed";
                                totalEmails: number;
                                verdictCounts: {
                                    valid: number;
                                    invalid: number;
                                    unknown: number;
                                };
                                /** Format: date-time */
                                resultsExpiresAt: string | null;
                            };
                            results: components["schemas"]["CatchAllVerdict"][];
                            pagination: {
                                total: number;
                                page: number;
                                limit: number;
                                pages: number;
                                hasNextPage: boolean;
                            };
                        };
                        meta: {
                            requestId: string;
                        };
                    };
                };
            };
            /** @description Missing or invalid parameters */
            400: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this account */
            404: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not in the required state, or an Idempotency-Key used for another request */
            409: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
            /** @description The results have expired */
            410: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadTask: {
        parameters: {
            query?: {
                verdict?: "valid" | "invalid";
            };
            header?: never;
            path: {
                taskId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RFC 4180. A cell that a spreadsheet would run as a formula begins with an apostrophe. */
            200: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description The name of the file */
                    "Content-Disposition": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Missing or invalid parameters */
            400: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description API key missing, invalid or revoked */
            401: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this account */
            404: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not in the required state, or an Idempotency-Key used for another request */
            409: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
            /** @description The results have expired */
            410: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Rate limit exceeded; wait RateLimit-Reset seconds */
            429: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimited"];
                };
            };
            /** @description Our own failure; nothing was charged */
            500: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; Retry-After says when to try again */
            503: {
                headers: {
                    /** @description Requests per window */
                    "RateLimit-Limit": string;
                    /** @description Requests left in this window */
                    "RateLimit-Remaining": string;
                    /** @description Seconds until the window resets */
                    "RateLimit-Reset": string;
                    /** @description Name it when you ask us about a request */
                    "X-Request-Id": string;
                    /** @description Seconds to wait before trying again */
                    "Retry-After": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
