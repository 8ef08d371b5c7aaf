import * as z from 'zod';
import { parseProbers } from './core/egress/probers.ts';
import type { SigningSecret } from './core/keys/api-key.ts';
import { parsePacks } from './core/payments/packs.ts';
import { isLoopbackHost } from './lib/ip-address.ts';
import type { JobTiming } from './operations/jobs/port.ts';
import { list, mailFrom, parsedBy, privateMx, readVariables, whole, wordsOf, yesOrNo } from './variables.ts';

/** Where IANA publishes the RDAP servers of top-level domains (RFC 9224). */
const IANA_RDAP_BOOTSTRAP = 'https://data.iana.org/rdap/dns.json';

// We answer within 30 seconds. The last look-up or connection attempt may exceed the budget by six to eight seconds.
const BUDGET_MS_MAX = 20_000;

const isDistinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

function parseSigningSecrets(text: string): readonly SigningSecret[] {
	const found = wordsOf(text).map((word) => /^(\d{1,3}):((?:[0-9a-f]{2}){16,})$/i.exec(word));
	const secrets = found.map((match) => ({
		version: Number(match?.[1] ?? 0),
		secret: Uint8Array.from(match?.[2]?.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16)),
	}));
	const versions = secrets.map(({ version }) => version);
	if (isDistinct(versions) && versions.every((version) => version >= 1 && version <= 255)) return secrets;
	throw new Error('is a list of VERSION:HEX with different versions 1-255 and at least 16 bytes each');
}

/** The people who may use the operators' API. The audit trail names them. */
function parseOperators(text: string): readonly { readonly name: string; readonly token: string }[] {
	const found = wordsOf(text).map((word) => /^([a-z][a-z0-9.-]{0,31}):([^\s:]{32,})$/.exec(word));
	const operators = found.map((match) => ({ name: match?.[1] ?? '', token: match?.[2] ?? '' }));
	const isUsable = !found.includes(null) && isDistinct(operators.map(({ name }) => name));
	if (isUsable && isDistinct(operators.map(({ token }) => token))) return operators;
	throw new Error(
		'is a list of NAME:TOKEN with different names (a-z first) and tokens of 32 characters or more',
	);
}

const oneLine = z
	.string()
	.trim()
	.max(200)
	.regex(/^\P{Cc}+$/u, 'is not one line');

// A semicolon, too: not every file of variables can hold a line end.
const legalLines = z
	.string()
	.transform((text) => text.split(/[\n;]/).flatMap((line) => line.trim() || []))
	.pipe(z.array(oneLine).min(1, 'is empty').max(12, 'has more than 12 lines'));

// It becomes a header.
const stripeSecret = z.string().regex(/^[\w.-]{8,255}$/, 'is not a secret of Stripe');

// No other scheme leads to a person.
const contactUrl = z
	.url({ protocol: /^(?:https|mailto)$/, error: 'is neither an https address nor mailto:' })
	.max(2_048);

/** Then `/terms` would lead to itself. */
function isOwnTermsPage(terms: string | undefined, ours: string | undefined): boolean {
	if (terms === undefined || ours === undefined) return false;
	const { host, pathname } = new URL(terms);
	return host === new URL(ours).host && /^\/terms\/?$/.test(pathname);
}

const termsUrl = z.url({ protocol: /^https$/, error: 'is not an https address' }).max(2_048);

const schema = z
	.object({
		DOH_URL: list
			.pipe(z.array(z.url({ protocol: /^https?$/ })).min(1))
			.default(['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query']),
		PROBERS: parsedBy(parseProbers).default([]),
		ALLOW_PRIVATE_MX: privateMx.default([]),
		VERIFY_BUDGET_MS: whole(1_000, BUDGET_MS_MAX).default(15_000),
		RETRY_DELAYS_SECONDS: list
			.transform((words) => words.map(Number))
			.pipe(z.array(z.int().min(1).max(86_400)).min(1).max(10))
			.default([60, 300, 900]),
		REDRIVE_AFTER_SECONDS: whole(1, 900).default(30),
		JOB_HORIZON_SECONDS: whole(60, 30 * 86_400).default(86_400),
		RESULTS_TTL_SECONDS: whole(1, 30 * 86_400).default(172_800),
		LEDGER_RETENTION_DAYS: whole(1, 36_500).default(400),
		SIGN_UP_REFUSES_DISPOSABLE: yesOrNo.default(true),
		TRIAL_CREDITS: whole(0, 1_000_000_000).default(100),
		RATE_WINDOW_SECONDS: whole(1, 86_400).default(900),
		RDAP_BOOTSTRAP_URL: z.url({ protocol: /^https?$/ }).default(IANA_RDAP_BOOTSTRAP),
		/** Between two questions to the same registry. */
		RDAP_SPACING_MS: whole(0, 60_000).default(1_000),
		PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
		MAIL_SENDER: mailFrom.optional(),
		CONTACT_ADDRESS: mailFrom.optional(),
		LEGAL_NAME: oneLine.optional(),
		LEGAL_ADDRESS: legalLines.optional(),
		CREDIT_PACKS: parsedBy(parsePacks).default([]),
		STRIPE_SECRET_KEY: stripeSecret.optional(),
		STRIPE_WEBHOOK_SECRET: list.pipe(z.array(stripeSecret).min(1).max(4)).optional(),
		STRIPE_API_URL: z.url({ protocol: /^https?$/ }).optional(),
		CONTACT_URL: contactUrl.optional(),
		TERMS_URL: termsUrl.optional(),
		JURISDICTION: z.enum(['eu']).optional(),
		DEVELOPMENT: yesOrNo.default(false),
		KEY_SIGNING_SECRET: parsedBy(parseSigningSecrets).default([]),
		OPERATOR_TOKENS: parsedBy(parseOperators).default([]),
	})
	.refine(
		({ DEVELOPMENT, PUBLIC_URL }) =>
			!DEVELOPMENT || PUBLIC_URL === undefined || isLoopbackHost(new URL(PUBLIC_URL).hostname),
		{
			path: ['DEVELOPMENT'],
			message: 'is true beside a PUBLIC_URL that is not of this machine: it belongs in .dev.vars alone',
		},
	)
	.refine(({ PUBLIC_URL, TERMS_URL }) => !isOwnTermsPage(TERMS_URL, PUBLIC_URL), {
		path: ['TERMS_URL'],
		message: 'is our own /terms, which leads there',
	});

type Variables = z.output<typeof schema>;

/**
 * Features that need several variables. Prices alone are no half: pages show them without a shop. Without prices nothing is
 * sold, and what was paid for is still granted.
 */
const FEATURES: readonly { readonly name: string; readonly needs: readonly (keyof Variables)[] }[] = [
	{ name: 'Buying credits is', needs: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'CREDIT_PACKS'] },
	{ name: 'The legal pages are', needs: ['LEGAL_NAME', 'LEGAL_ADDRESS'] },
];

/** The configuration, checked. */
export type Config = Variables & {
	/** The features of which only some variables are set, in words without values. */
	readonly switchedOff: readonly string[];
};

/** The names of all variables and secrets. */
export const VARIABLES: readonly string[] = Object.keys(schema.shape);

/** Reads the variables and secrets of the Worker. An empty value counts as absent. */
export function readConfig(env: object): Config {
	return withoutHalves(readVariables(schema, env));
}

/** Switches a feature off while it lacks a variable, since operators set secrets one after the other. */
function withoutHalves(config: Variables): Config {
	const lacks = (name: keyof Variables): boolean => [config[name] ?? []].flat().length === 0;
	let used = config;
	const switchedOff = FEATURES.flatMap(({ name, needs }) => {
		const missing = needs.filter(lacks);
		const others = needs.filter((each) => each !== 'CREDIT_PACKS');
		if (missing.length === 0 || others.every(lacks)) return [];
		if (others.some(lacks))
			used = { ...used, ...Object.fromEntries(others.map((each) => [each, undefined])) };
		return [`${name} off without ${missing.join(' and ')}`];
	});
	return { ...used, switchedOff };
}

/** How long jobs wait, live and are kept. */
export function jobTimingOf(config: Config): JobTiming {
	return {
		retryDelaysMs: config.RETRY_DELAYS_SECONDS.map((seconds) => seconds * 1000),
		redriveAfterMs: config.REDRIVE_AFTER_SECONDS * 1000,
		horizonMs: config.JOB_HORIZON_SECONDS * 1000,
		resultsTtlMs: config.RESULTS_TTL_SECONDS * 1000,
	};
}

/**
 * The Strict-Transport-Security of all answers (RFC 6797); null where PUBLIC_URL is not https, as on a developer's
 * machine, where browsers would refuse http for a year.
 */
export function strictTransport({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string | null {
	return PUBLIC_URL !== undefined && /^https:/i.test(PUBLIC_URL) ? 'max-age=31536000' : null;
}
