import { createRoute } from '@hono/zod-openapi';
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { parseAddress } from '../../core/address/parse-address.ts';
import { inCredits, PRICE } from '../../core/credits/price.ts';
import { claimedMode } from '../../core/keys/api-key.ts';
import type { BrowserKey } from '../../core/keys/browser-key.ts';
import { DEFAULT_LIMITS } from '../../core/rate-limit/window.ts';
import { MALFORMED, NOT_CHECKED } from '../../core/verification/form-answer.ts';
import { ServiceError } from '../../errors.ts';
import { DAY_MS, secondsToNextDay } from '../../lib/time.ts';
import { discard } from '../../lib/streams.ts';
import { finished } from '../../lib/log.ts';
import { KnownBrowserKeys, verifyForBrowser } from '../../operations/verify/verify-for-browser.ts';
import type { KnownBrowserKey } from '../../operations/verify/verify-for-browser.ts';
import { RATE_LIMITED, refusalOfKey } from '../admission.ts';
import type { AppContext, AppEnv } from '../context.ts';
import type { KnownPaths } from '../endpoint.ts';
import { AnonymousWindows, clientOf } from '../keys.ts';
import type { Tag } from '../openapi.ts';
import { readJson } from '../read-json.ts';
import { BODY_ERRORS, failuresOfAnyKey, jsonResponse } from '../responses.ts';
import { formAnswer, formRequest } from './schemas.ts';

const PATH = '/v1/public/verify';
const HEADER = 'X-Public-Key';
const BODY_OCTETS_MAX = 8_192;

// A person corrects an address some times; an office behind one address has some persons.
const CLIENT_CALLS_MAX = 30;
// No single network uses up the whole day of a key.
const CLIENT_SHARE = 0.1;

const route = createRoute({
	operationId: 'verifyInPage',
	tags: ['Single' satisfies Tag],
	method: 'post',
	path: PATH,
	summary: 'Check an address from a page',
	description: `The quick check for visitors of your pages, with a key that is no secret. It asks no mail server. ${inCredits(PRICE.single)} for an address that can not get mail or is probably mistyped; nothing for an answer that proves nothing. Calls count on the key's day and on a window of the visitor's network, never on the account's windows. Only the key's own origins may read the answer.`,
	security: [{ publicKey: [] }],
	request: { body: { required: true, content: { 'application/json': { schema: formRequest } } } },
	responses: {
		200: jsonResponse('The answer for the form', formAnswer, {
			typo: {
				summary: 'A slip',
				value: { ok: null, suggestion: 'jane@gmail.com', reason: 'possible_typo' },
			},
			noDomain: {
				summary: 'A domain that does not exist',
				value: { ok: false, suggestion: null, reason: 'domain_does_not_exist' },
			},
			malformed: { summary: 'No address', value: MALFORMED },
			notChecked: { summary: 'We could not look', value: NOT_CHECKED },
		}),
		...failuresOfAnyKey(...BODY_ERRORS, 'origin_not_allowed', 'challenge_failed', 'upstream_nonsense'),
	},
});

/** Publishes POST /v1/public/verify in the OpenAPI document, at its place among the other calls. */
export function publishBrowserVerify(api: OpenAPIHono<AppEnv>, paths: KnownPaths): void {
	api.openAPIRegistry.registerPath(route);
	paths.set(PATH, new Map([['POST', 'any key']]));
}

/** Serves POST /v1/public/verify. It needs no secret key, so it comes before the authentication of /v1. */
export function serveBrowserVerify(api: OpenAPIHono<AppEnv>): void {
	const known = new KnownBrowserKeys();
	const windows = new AnonymousWindows();
	const days = new AnonymousWindows();

	api.options(PATH, (c) => {
		// A preflight carries no key (Fetch §4.8), so it allows any page to ask; the answer says which page may read it.
		c.header('Access-Control-Allow-Origin', '*');
		c.header('Access-Control-Allow-Methods', 'POST');
		c.header('Access-Control-Allow-Headers', `Content-Type, ${HEADER}`);
		c.header('Access-Control-Max-Age', '86400');
		return c.body(null, 204);
	});
	api.use(PATH, async (c, next) => {
		await next();
		// Reads the rest of a body that was refused.
		await discard(c.req.raw.body);
	});
	api.post(PATH, async (c) => {
		c.set('operationId', route.operationId);
		const client = clientOf(c.req.raw);
		const presented = presentedKey(c);
		const key = typeof presented === 'string' ? await known.find(c.var.services, presented) : null;
		if (key === null) {
			countCall(c, windows, { client, max: DEFAULT_LIMITS.default });
			throw typeof presented === 'string' ? refusalOfKey('unknown') : presented;
		}
		const { settings, origin } = requireOrigin(c, key);
		const caller = `${key.route.keyId} ${client}`;
		countCall(c, windows, { client: caller, max: CLIENT_CALLS_MAX });
		const share = Math.max(CLIENT_CALLS_MAX, Math.ceil(settings.dailyLimit * CLIENT_SHARE));
		countCall(c, days, { client: caller, max: share, windowMs: DAY_MS });
		const body = await readJson(c, formRequest, BODY_OCTETS_MAX);
		if (!body.ok) throw body.error;
		const { email, turnstileToken: token = '' } = body.value;
		const parsed = parseAddress(email);
		const request = { origin, settings, address: parsed.ok ? parsed.address : null, token };
		const verifying = verifyForBrowser(c.var.services, key.route, request);
		c.executionCtx.waitUntil(finished(verifying));
		const answered = await verifying;
		if (!('refused' in answered)) return c.json(answered satisfies z.input<typeof formAnswer>);
		const { refused } = answered;
		if (refused.kind === 'refused') throw refusalOfKey(refused.because);
		if (refused.kind === 'other_origin') throw otherOrigin(origin);
		const retryAfterSeconds = secondsToNextDay(c.var.services.clock.now());
		throw new ServiceError('rate_limited', RATE_LIMITED, {
			retryAfterSeconds,
		});
	});
}

/** The key of the header, not looked at yet; or why there is none. */
function presentedKey(c: AppContext): string | ServiceError {
	const key = c.req.header(HEADER)?.trim() ?? '';
	if (key === '')
		return new ServiceError('api_key_missing', `Key for browsers missing: send it as ${HEADER}`);
	const mode = claimedMode(key);
	if (mode === null || mode === 'public') return key;
	const text = `${HEADER} takes a key for browsers, and this is a secret key: revoke it if it stood in a page`;
	return new ServiceError('wrong_kind_of_key', text);
}

/** Lets the page read the answer, if it is one of the key's. Throws `ServiceError` if not. */
function requireOrigin(
	c: AppContext,
	{ settings }: KnownBrowserKey,
): { readonly settings: BrowserKey; readonly origin: string } {
	if ('because' in settings) throw refusalOfKey(settings.because);
	const origin = c.req.header('origin') ?? '';
	c.header('Vary', 'Origin');
	if (!settings.origins.includes(origin)) throw otherOrigin(origin);
	c.header('Access-Control-Allow-Origin', origin);
	return { settings, origin };
}

function otherOrigin(origin: string): ServiceError {
	const named = origin === '' ? 'none, and this call names none' : origin.slice(0, 200);
	return new ServiceError('origin_not_allowed', `This key was made for other origins than ${named}`);
}

/** Counts a call of a client in the isolate's memory. Throws `ServiceError` `rate_limited`. */
function countCall(
	c: AppContext,
	windows: AnonymousWindows,
	{ client, max, windowMs }: { readonly client: string; readonly max: number; readonly windowMs?: number },
): void {
	const { config, clock } = c.var.services;
	const lengthMs = windowMs ?? config.RATE_WINDOW_SECONDS * 1000;
	const { admitted, view } = windows.admit(client, max, lengthMs, clock.now());
	if (windowMs === undefined || !admitted) c.set('window', view);
	if (!admitted) throw new ServiceError('rate_limited', RATE_LIMITED);
}
