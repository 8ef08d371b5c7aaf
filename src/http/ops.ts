import { Hono } from 'hono';
import { z } from 'zod';
import { describeFault, parseAddress } from '../core/address/parse-address.ts';
import { CATEGORIES } from '../core/rate-limit/window.ts';
import { ServiceError } from '../errors.ts';
import { equalInConstantTime, sha256Hex } from '../lib/digest.ts';
import { discard } from '../lib/streams.ts';
import { ALONE } from '../engine/case.ts';
import { Trail } from '../core/verification/trail.ts';
import { examinedOf } from '../operations/verify/verify-address.ts';
import {
	createAccount,
	findAccounts,
	grantCredits,
	setLimits,
	setSuspended,
	showAccount,
} from '../operations/accounts/accounts.ts';
import { attachAccount, restoreAccount } from '../operations/accounts/recover.ts';
import { createTestKey, revokeKey } from '../operations/accounts/keys.ts';
import { endJob, retryJob, showJob } from '../operations/jobs/manage-job.ts';
import { allowDomain, refuseDomain } from '../operations/opt-outs/opt-outs.ts';
import { findAskers } from '../operations/probers/probers.ts';
import type { SeenProber } from '../operations/probers/probers.ts';
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

/** An address as an operator types it. */
const email = z.string({ error: 'email must be a string' }).trim().min(3).max(254);

/** One that we may write to, so it must not contain a line break. Internal host names are allowed. */
const customer = email.regex(/^[^\s\p{Cc}]+@[^\s\p{Cc}@]+$/u, 'email is not an address');

const newAccount = z.object({
	email: customer,
	credits: creditsFrom(0).optional(),
	location: z.enum(LOCATIONS, { error: `location is one of ${LOCATIONS.join(', ')}` }).optional(),
});
const newGrant = z.object({
	id: z
		.string({ error: 'id must be a string' })
		.regex(/^[\x21-\x7e]{1,128}$/, 'id has 1-128 visible ASCII characters'),
	credits: creditsFrom(-CREDITS_MAX).refine((credits) => credits !== 0, 'credits must not be 0'),
});
const limit = z.int({ error: 'a limit must be a whole number' }).min(0).max(CREDITS_MAX);
const newLimits = z
	.object({ default: limit.exactOptional(), batch: limit.exactOptional(), polling: limit.exactOptional() })
	.refine((limits) => Object.keys(limits).length > 0, `name at least one of ${CATEGORIES.join(', ')}`);

const refusedDomain = z.object({ domain: z.string({ error: 'domain must be a string' }).min(1).max(255) });

const newTestKey = z.object({
	label: z
		.string({ error: 'label must be a string' })
		.trim()
		.min(1, 'label is empty')
		.max(100, 'label is over 100 characters'),
});

const wrongTokens = new AnonymousWindows();

/** The operators' API, under /ops. Without configured OPERATOR_TOKENS it does not exist. */
export function opsRoutes(): Hono<AppEnv> {
	const ops = new Hono<AppEnv>();
	ops.use('*', async (c, next) => {
		const actor = requireOperator(c);
		c.set('services', { ...c.var.services, actor });
		await next();
		await discard(c.req.raw.body);
	});
	ops.post('/accounts', async (c) => {
		const { email: of, credits = null, location } = await require(c, newAccount);
		const created = await createAccount(c.var.services, { email: of, credits, location });
		return reply(c, created, 201);
	});
	// A POST, because an address in a URL would end up in logs.
	ops.post('/find-accounts', async (c) => {
		const found = await findAccounts(c.var.services, (await require(c, z.object({ email }))).email);
		return reply(c, { accounts: found.map(({ id: accountId, ...listed }) => ({ accountId, ...listed })) });
	});
	for (const [verb, suspended] of [
		['suspend', true],
		['unsuspend', false],
	] as const) {
		ops.post(`/accounts/:accountId/${verb}`, async (c) => {
			const accountId = c.req.param('accountId') ?? '';
			const suspendedAt = await setSuspended(c.var.services, accountId, suspended);
			return reply(c, { accountId, suspendedAt });
		});
	}
	ops.get('/accounts/:accountId', async (c) => reply(c, await renderAccount(c, c.req.param('accountId'))));
	ops.post('/accounts/:accountId/grants', async (c) => {
		const body = await require(c, newGrant);
		const { balance, repeated } = await grantCredits(c.var.services, c.req.param('accountId'), body);
		return reply(c, { credits: renderBalance(balance), repeated });
	});
	ops.patch('/accounts/:accountId/limits', async (c) => {
		const limits = await require(c, newLimits);
		return reply(c, { limits: await setLimits(c.var.services, c.req.param('accountId'), limits) });
	});
	ops.post('/accounts/:accountId/keys/:keyId/revoke', async (c) => {
		const { accountId, keyId } = c.req.param();
		await revokeKey(c.var.services, accountId, keyId);
		return reply(c, { keyId, revoked: true });
	});
	ops.post('/accounts/:accountId/test-keys', async (c) => {
		const { label } = await require(c, newTestKey);
		return reply(c, await createTestKey(c.var.services, c.req.param('accountId'), label), 201);
	});
	ops.get('/egress', async (c) =>
		reply(c, { probers: (await c.var.services.probers.states()).map(renderProber) }),
	);
	addJobs(ops);
	addTrail(ops);
	addRecovery(ops);
	addRecipientsPeace(ops);
	ops.post('/explain', async (c) => {
		const { email: text } = await require(c, z.object({ email }));
		const parsed = parseAddress(text);
		if (!parsed.ok) throw new ServiceError('malformed_email', describeFault(parsed.reason, text));
		const { clock, examineAddresses } = c.var.services;
		const trail = new Trail(() => clock.now());
		// Its observations of mail hosts count like those of an account.
		const how = { ...ALONE, asker: 'support', trail, explain: true };
		const found = await examineAddresses([parsed.address], how);
		const { result } = examinedOf(parsed.address, found, clock.now());
		return reply(c, { result, evidence: trail.evidence() });
	});
	ops.all('*', () => {
		throw new ServiceError('path_not_found', 'There is no such operation');
	});
	return ops;
}

const trailQuery = z.object({
	account: z.string().max(100).optional(),
	before: z.coerce.number<string>({ error: 'before must be a number' }).int().min(1).optional(),
});

/** The actions of operators. */
function addTrail(ops: Hono<AppEnv>): void {
	ops.get('/trail', async (c) => {
		const query = trailQuery.safeParse(c.req.query());
		if (!query.success)
			throw new ServiceError('invalid_parameter', 'before must be an `id` of an earlier answer');
		const { account = null, before = null } = query.data;
		const entries = await c.var.services.directory.readTrail({ accountId: account, before, most: TRAIL_MAX });
		return reply(c, { entries });
	});
}

/** Jobs, whosever they are. */
function addJobs(ops: Hono<AppEnv>): void {
	for (const [method, path, act] of [
		['GET', '/jobs/:jobId', showJob],
		['POST', '/jobs/:jobId/end', endJob],
		['POST', '/jobs/:jobId/retry', retryJob],
	] as const) {
		ops.on(method, path, async (c) => {
			const { services } = c.var;
			const { accountId, job, parts } = await act(services, { jobId: c.req.param('jobId') ?? '' });
			return reply(c, { accountId, job: renderJob(job, services.clock.now()), openParts: parts });
		});
	}
}

const time = z.iso
	.datetime({ offset: true, error: 'at must be a time with its zone, like 2026-11-21T10:00:00Z' })
	.transform((text) => Date.parse(text));
// Some numbers in hex, whose form is the platform's matter.
const bookmark = z
	.string({ error: 'bookmark must be a string' })
	.regex(/^[0-9A-Za-z-]{1,200}$/, 'bookmark is none of the platform');

const restoration = z
	.object({
		at: time.optional(),
		bookmark: bookmark.optional(),
		confirm: z.boolean({ error: 'confirm must be true or false' }).default(false),
	})
	.refine(({ at, bookmark: to }) => (at === undefined) !== (to === undefined), 'name either at or bookmark');

/** An account back in time, and its row back in the database. */
function addRecovery(ops: Hono<AppEnv>): void {
	ops.post('/accounts/:accountId/restore', async (c) => {
		const { accountId } = c.req.param();
		const { at, bookmark: named = '', confirm: confirmed } = await require(c, restoration);
		const to = at === undefined ? { bookmark: named } : { at };
		const restored = await restoreAccount(c.var.services, accountId, { to, confirmed });
		const { before, backMs, restored: after } = restored;
		const render = ({ balance, suspendedAt }: typeof before) => ({
			credits: renderBalance(balance),
			suspendedAt,
		});
		return reply(c, {
			accountId,
			to,
			secondsBack: backMs === null ? null : Math.round(backMs / 1000),
			before: render(before),
			restored: after === null ? null : { ...render(after), undoBookmark: after.undo },
		});
	});
	ops.post('/accounts/:accountId/attach', async (c) => {
		const { accountId } = c.req.param();
		const body = await require(c, z.object({ email: customer }));
		const { suspendedAt, closedAt } = await attachAccount(c.var.services, accountId, body.email);
		return reply(c, { accountId, suspendedAt, closedAt });
	});
}

/** The operators' tools for domains whose mail servers we ask. */
function addRecipientsPeace(ops: Hono<AppEnv>): void {
	ops.get('/guessers', async (c) => {
		const seen = await c.var.services.probers.states();
		const guessers = seen.flatMap((one) => {
			if ('silent' in one) return [];
			const { prober } = one;
			return one.state.guessers.map(({ asker: accountId, ...guesser }) => ({
				accountId,
				...guesser,
				prober,
			}));
		});
		return reply(c, { guessers });
	});
	ops.get('/askers', async (c) => {
		const { domain = '', day = '' } = c.req.query();
		return reply(c, await findAskers(c.var.services, { domain, day }));
	});
	ops.post('/refused-domains', async (c) =>
		reply(c, await refuseDomain(c.var.services, await require(c, refusedDomain)), 201),
	);
	ops.get('/refused-domains', async (c) => reply(c, { domains: await c.var.services.optOuts.list() }));
	ops.delete('/refused-domains/:domain', async (c) => {
		const { domain } = c.req.param();
		return reply(c, { domain, removed: await allowDomain(c.var.services, { domain }) });
	});
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

function require<S extends z.ZodType>(c: AppContext, schema: S): Promise<z.output<S>> {
	return readJson(c, schema, BODY_OCTETS_MAX);
}

async function renderAccount(c: AppContext, accountId: string): Promise<object> {
	const { balance, keys, closedAt: _, ...account } = await showAccount(c.var.services, accountId);
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
		operators: operators.map(({ standing: { kind, share }, ...asked }) => ({
			...asked,
			standing: { kind, share },
		})),
	};
}

// The names of moments, which are epoch milliseconds to us, and ISO 8601 to operators.
const MOMENT = /^(?:at|since|until)$|(?:At|Until)$/;

function reply(c: AppContext, data: object, status: 200 | 201 = 200): Response {
	const answer = { success: true, data, meta: { requestId: c.var.requestId } };
	const text = JSON.stringify(answer, (name, value: unknown) =>
		typeof value === 'number' && MOMENT.test(name) ? timestamp(value) : value,
	);
	return c.body(text, status, { 'content-type': 'application/json' });
}
