import { Hono } from 'hono';
import * as z from 'zod';
import { describeFault, parseAddress } from '../core/address/parse-address.ts';
import { CATEGORIES } from '../core/rate-limit/window.ts';
import { ServiceError } from '../errors.ts';
import { equalInConstantTime, sha256Hex } from '../lib/digest.ts';
import { discard } from '../lib/streams.ts';
import { ALONE } from '../engine/case.ts';
import { Trail } from '../core/verification/trail.ts';
import { examinedOf } from '../operations/verify/verify.ts';
import * as accounts from '../operations/accounts/accounts.ts';
import { attachAccount, restoreAccount } from '../operations/accounts/recover.ts';
import { createTestKey, revokeKey } from '../operations/accounts/keys.ts';
import { endJob, retryJob, showJob } from '../operations/jobs/manage-job.ts';
import { allowDomain, refuseDomain } from '../operations/opt-outs/opt-outs.ts';
import { findAskers } from '../operations/probers/probers.ts';
import type { SeenProber } from '../operations/probers/probers.ts';
import type { Services } from '../services.ts';
import { AnonymousWindows } from './admission.ts';
import type { AppContext, AppEnv } from './context.ts';
import { readJson } from './body.ts';
import { renderBalance } from './schemas/credits.ts';
import { timestamp } from './schemas/fields.ts';
import { renderJob } from './schemas/job.ts';

// Regions of the platform (Durable Objects, "Provide a location hint").
const LOCATIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const;
const BODY_OCTETS_MAX = 16_384;
// How many wrong tokens a client may send in a window; a correct one is never counted.
const WRONG_TOKENS_MAX = 30;
const CREDITS_MAX = 1_000_000_000;
// Entries of the trail that an answer has.
const TRAIL_MAX = 100;

const creditsFrom = (min: number) =>
	z.int({ error: 'credits must be a whole number' }).min(min, `credits are at least ${min}`).max(CREDITS_MAX);
const text = (name: string) => z.string({ error: `${name} must be a string` });

/** An address as an operator types it. */
const email = text('email').trim().min(3).max(254);
/** One that we may write to, so it must not contain a line break. Internal host names are allowed. */
const customer = email.regex(/^[^\s\p{Cc}]+@[^\s\p{Cc}@]+$/u, 'email is not an address');

const newAccount = z.object({
	email: customer,
	credits: creditsFrom(0).optional(),
	location: z.enum(LOCATIONS, { error: `location is one of ${LOCATIONS.join(', ')}` }).optional(),
});
const newGrant = z.object({
	id: text('id').regex(/^[\x21-\x7e]{1,128}$/, 'id has 1-128 visible ASCII characters'),
	credits: creditsFrom(-CREDITS_MAX).refine((credits) => credits !== 0, 'credits must not be 0'),
});
const limit = z.int({ error: 'a limit must be a whole number' }).min(0).max(CREDITS_MAX);
const newLimits = z
	.object({ default: limit.exactOptional(), batch: limit.exactOptional(), polling: limit.exactOptional() })
	.refine((limits) => Object.keys(limits).length > 0, `name at least one of ${CATEGORIES.join(', ')}`);
const newTestKey = z.object({
	label: text('label').trim().min(1, 'label is empty').max(100, 'label is over 100 characters'),
});
const restoration = z
	.object({
		at: z.iso
			.datetime({ offset: true, error: 'at must be a time with its zone, like 2026-11-21T10:00:00Z' })
			.transform((time) => Date.parse(time))
			.optional(),
		// Some numbers in hex, whose form is the platform's matter.
		bookmark: text('bookmark')
			.regex(/^[0-9A-Za-z-]{1,200}$/, 'bookmark is none of the platform')
			.optional(),
		confirm: z.boolean({ error: 'confirm must be true or false' }).default(false),
	})
	.refine(({ at, bookmark: to }) => (at === undefined) !== (to === undefined), 'name either at or bookmark');
const attachment = z.object({ email: customer });
const refusedDomain = z.object({ domain: text('domain').min(1).max(255) });
const trailQuery = z.object({
	account: z.string().max(100).optional(),
	before: z.coerce.number<string>({ error: 'before must be a number' }).int().min(1).optional(),
});

const wrongTokens = new AnonymousWindows();

/** A call of an operator: what its path names, and its body. */
interface Called<B> extends Readonly<Record<'accountId' | 'keyId' | 'jobId' | 'domain', string>> {
	readonly services: Services;
	readonly query: Readonly<Record<string, string>>;
	readonly body: B;
}

/** Declares a call of operators. */
function call<B extends z.ZodType | null>(
	status: 200 | 201,
	named: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`,
	schema: B,
	run: (call: Called<B extends z.ZodType ? z.output<B> : null>) => object | Promise<object>,
) {
	const [method = '', path = ''] = named.split(' ');
	const answer = async (c: AppContext): Promise<Response> => {
		const body = schema === null ? null : await readJson(c, schema, BODY_OCTETS_MAX);
		const sent = { services: c.var.services, query: c.req.query(), body };
		return reply(c, await run({ ...c.req.param(), ...sent } as unknown as Parameters<typeof run>[0]), status);
	};
	return { method, path, answer };
}

const CALLS: readonly ReturnType<typeof call>[] = [
	call(201, 'POST /accounts', newAccount, ({ services, body: { email: of, credits = null, location } }) =>
		accounts.createAccount(services, { email: of, credits, location }),
	),
	// A POST, because an address in a URL would end up in logs.
	call(200, 'POST /find-accounts', z.object({ email }), async ({ services, body }) => {
		const found = await accounts.findAccounts(services, body.email);
		return { accounts: found.map(({ id: accountId, ...listed }) => ({ accountId, ...listed })) };
	}),
	...(['suspend', 'unsuspend'] as const).map((verb) =>
		call(200, `POST /accounts/:accountId/${verb}`, null, async ({ services, accountId }) => ({
			accountId,
			suspendedAt: await accounts.setSuspended(services, accountId, verb === 'suspend'),
		})),
	),
	call(200, 'GET /accounts/:accountId', null, renderAccount),
	call(200, 'POST /accounts/:accountId/grants', newGrant, async ({ services, accountId, body }) => {
		const { balance, repeated } = await accounts.grantCredits(services, accountId, body);
		return { credits: renderBalance(balance), repeated };
	}),
	call(200, 'PATCH /accounts/:accountId/limits', newLimits, async ({ services, accountId, body }) => ({
		limits: await accounts.setLimits(services, accountId, body),
	})),
	call(200, 'POST /accounts/:accountId/keys/:keyId/revoke', null, async ({ services, accountId, keyId }) => {
		await revokeKey(services, accountId, keyId);
		return { keyId, revoked: true };
	}),
	call(201, 'POST /accounts/:accountId/test-keys', newTestKey, ({ services, accountId, body }) =>
		createTestKey(services, accountId, body.label),
	),
	// An account back in time, and its row back in the database.
	call(200, 'POST /accounts/:accountId/restore', restoration, async ({ services, accountId, body }) => {
		const { at, bookmark = '', confirm: confirmed } = body;
		const to = at === undefined ? { bookmark } : { at };
		const { before, backMs, restored } = await restoreAccount(services, accountId, { to, confirmed });
		const render = ({ balance, suspendedAt }: typeof before) => {
			return { credits: renderBalance(balance), suspendedAt };
		};
		return {
			accountId,
			to,
			secondsBack: backMs === null ? null : Math.round(backMs / 1000),
			before: render(before),
			restored: restored === null ? null : { ...render(restored), undoBookmark: restored.undo },
		};
	}),
	call(200, 'POST /accounts/:accountId/attach', attachment, async ({ services, accountId, body }) => ({
		accountId,
		...(await attachAccount(services, accountId, body.email)),
	})),
	// Jobs, whosever they are.
	...(
		[
			['GET /jobs/:jobId', showJob],
			['POST /jobs/:jobId/end', endJob],
			['POST /jobs/:jobId/retry', retryJob],
		] as const
	).map(([named, act]) =>
		call(200, named, null, async ({ services, jobId }) => {
			const { accountId, job, parts } = await act(services, { jobId });
			return { accountId, job: renderJob(job, services.clock.now()), openParts: parts };
		}),
	),
	// The actions of operators.
	call(200, 'GET /trail', null, async ({ services, query }) => {
		const read = trailQuery.safeParse(query);
		if (!read.success)
			throw new ServiceError('invalid_parameter', 'before must be an `id` of an earlier answer');
		const { account = null, before = null } = read.data;
		return { entries: await services.directory.readTrail({ accountId: account, before, most: TRAIL_MAX }) };
	}),
	call(200, 'GET /egress', null, async ({ services }) => ({
		probers: (await services.probers.states()).map(renderProber),
	})),
	// For domains whose mail servers we ask.
	call(200, 'GET /guessers', null, async ({ services }) => {
		const seen = await services.probers.states();
		return {
			guessers: seen.flatMap((one) =>
				'silent' in one
					? []
					: one.state.guessers.map(({ asker: accountId, ...guesser }) => {
							return { accountId, ...guesser, prober: one.prober };
						}),
			),
		};
	}),
	call(200, 'GET /askers', null, ({ services, query: { domain = '', day = '' } }) =>
		findAskers(services, { domain, day }),
	),
	call(201, 'POST /refused-domains', refusedDomain, ({ services, body }) => refuseDomain(services, body)),
	call(200, 'GET /refused-domains', null, async ({ services }) => ({
		domains: await services.optOuts.list(),
	})),
	call(200, 'DELETE /refused-domains/:domain', null, async ({ services, domain }) => ({
		domain,
		removed: await allowDomain(services, { domain }),
	})),
	call(200, 'POST /explain', z.object({ email }), async ({ services, body }) => {
		const parsed = parseAddress(body.email);
		if (!parsed.ok) throw new ServiceError('malformed_email', describeFault(parsed.reason, body.email));
		const { clock, examineAddresses } = services;
		const trail = new Trail(() => clock.now());
		// Its observations of mail hosts count like those of an account.
		const how = { ...ALONE, asker: 'support', trail, explain: true };
		const found = await examineAddresses([parsed.address], how);
		const { result } = examinedOf(parsed.address, found, clock.now());
		return { result, evidence: trail.evidence() };
	}),
];

/** The operators' API, under /ops. Without configured OPERATOR_TOKENS it does not exist. */
export function opsRoutes(): Hono<AppEnv> {
	const ops = new Hono<AppEnv>();
	ops.use('*', async (c, next) => {
		const actor = requireOperator(c);
		c.set('services', { ...c.var.services, actor });
		await next();
		await discard(c.req.raw.body);
	});
	for (const { method, path, answer } of CALLS) ops.on(method, path, answer);
	ops.all('*', () => {
		throw new ServiceError('path_not_found', 'There is no such operation');
	});
	return ops;
}

/** The name of the operator whose token the request has. */
function requireOperator(c: AppContext): string {
	const { config } = c.var.services;
	if (config.OPERATOR_TOKENS.length === 0) throw new ServiceError('path_not_found', 'Not found');
	const given = sha256Hex(/^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '');
	// Digests have the same length, so the comparison does not even reveal a token's length.
	const operators = config.OPERATOR_TOKENS.filter(({ token }) =>
		equalInConstantTime(given, sha256Hex(token)),
	);
	if (operators[0] !== undefined) return operators[0].name;
	c.set('window', wrongTokens.enter(c, WRONG_TOKENS_MAX, { says: 'Too many wrong operator tokens' }));
	throw new ServiceError('operator_token_invalid', 'Operator token missing or wrong');
}

async function renderAccount({ services, accountId }: Called<null>): Promise<object> {
	const { balance, keys, closedAt: _, ...account } = await accounts.showAccount(services, accountId);
	return {
		accountId,
		...account,
		credits: renderBalance(balance),
		keys: keys.map(({ usage, ...key }) => ({
			...key,
			lastUsedAt: usage === null || usage.lastUsedAt === 0 ? null : usage.lastUsedAt,
			requests: usage?.requests ?? 0,
			credits: usage?.credits ?? 0,
			outcomes: usage?.outcomes ?? null,
		})),
	};
}

function renderProber(seen: SeenProber): object {
	if ('silent' in seen) return seen;
	const { operators, guessers: _, ...state } = seen.state;
	return {
		prober: seen.prober,
		...state,
		operators: operators.map(({ standing: { kind, share }, ...asked }) => {
			return { ...asked, standing: { kind, share } };
		}),
	};
}

// The names of moments, which are epoch milliseconds to us, and ISO 8601 to operators.
const MOMENT = /^(?:at|since|until)$|(?:At|Until)$/;

function reply(c: AppContext, data: object, status: 200 | 201 = 200): Response {
	const answer = { success: true, data, meta: { requestId: c.var.requestId } };
	const body = JSON.stringify(answer, (name, value: unknown) =>
		typeof value === 'number' && MOMENT.test(name) ? timestamp(value) : value,
	);
	return c.body(body, status, { 'content-type': 'application/json' });
}
