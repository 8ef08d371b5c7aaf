import { z } from '@hono/zod-openapi';
import { operatorWords } from '../../core/mail-operators/operators.ts';
import { MX_MAX } from '../../engine/describe-domains.ts';
import type { DomainReport } from '../../engine/describe-domains.ts';
import type { Quote } from '../../core/jobs/quote.ts';
import { DOMAINS_MAX } from '../../operations/domains/describe-domains.ts';
import { LOOKED_UP_MAX } from '../../operations/domains/quote-list.ts';
import { count, creditCount, openWord, time, wrong } from '../fields.ts';
import { thousands } from '../../lib/text.ts';

const LIST_TEXT = `an array of 1 to ${DOMAINS_MAX} strings`;
const flag = z.boolean().nullable();

/** POST /v1/domains, request. */
export const domainsRequest = z
	.object(
		{
			domains: z
				.array(z.string(wrong('a string')).describe('A domain, in any script'), {
					error: `Missing or invalid parameter: domains must be ${LIST_TEXT}`,
				})
				.min(1, `Invalid parameter: domains is empty, it must be ${LIST_TEXT}`)
				.max(DOMAINS_MAX, `Invalid parameter: domains has too many elements, it must be ${LIST_TEXT}`)
				.describe('The domains. What is no domain is answered, too: it does not exist'),
		},
		{ error: 'The body must be a JSON object with domains' },
	)
	.openapi('DomainsRequest', {
		description: 'The domains to look up',
		example: { domains: ['acme.com', 'gmial.com'] },
	});

export const domainReport = z
	.object({
		domain: z
			.string()
			.describe('The domain in lower case and A-labels (`xn--…`); what is no domain as it was sent, trimmed'),
		exists: flag.describe('Whether the domain exists; null: its name servers gave no answer in time'),
		accepts_mail: flag.describe(
			'Whether the domain names mail servers, or has an address of its own that takes their place (RFC 5321 §5.1); null: no answer in time',
		),
		mx: z
			.array(z.string())
			.max(MX_MAX)
			.readonly()
			.describe(`Its mail exchangers, the best first, at most ${MX_MAX}; empty without MX records`),
		smtp_provider: openWord(
			operatorWords('others'),
			'Who runs the mail servers; null: not known.',
		).nullable(),
		gateway: openWord(
			operatorWords('gateways'),
			'The mail security gateway in front of the mailboxes; null: none is known.',
		).nullable(),
		catch_all: flag.describe(
			'Whether the domain accepted every address when we last asked its mail server; null: nothing is remembered',
		),
		catch_all_checked_at: time.nullable().describe('When that was, ISO 8601 in UTC; null: not remembered'),
		disposable: z.boolean().describe('Whether the domain belongs to a service of throw-away mailboxes'),
		free: z.boolean().describe('Whether the domain is a provider of free mailboxes'),
		did_you_mean: z
			.string()
			.nullable()
			.describe('The large provider that was probably meant; null: no such slip'),
		told_at_rcpt: flag.describe(
			'Whether its mail servers tell mailboxes that exist from others; false where they accept everything, null where we do not know',
		),
	})
	.openapi('DomainReport', {
		description: 'What is known of a domain without asking its mail servers',
	}) satisfies z.ZodType<DomainReport>;

export const domainReports = z
	.object({
		results: z.array(domainReport).readonly().describe('A report for each domain, in the order sent'),
	})
	.openapi('DomainReports', { description: 'The reports on domains' });

const NAMES_MAX = 50_000;
const ADDRESSES_MAX = 1_000_000_000;
const HISTOGRAM_TEXT = `an object of 1 to ${NAMES_MAX} domains, each with its number of addresses`;
const NUMBER = wrong(`a whole number from 0 to ${ADDRESSES_MAX}`);

/** POST /v1/quote, request. */
export const quoteRequest = z
	.object(
		{
			domains: z
				.record(z.string(), z.int(NUMBER).min(0, NUMBER).max(ADDRESSES_MAX, NUMBER), {
					error: `Missing or invalid parameter: domains must be ${HISTOGRAM_TEXT}`,
				})
				.refine((domains) => {
					const names = Object.keys(domains).length;
					return names >= 1 && names <= NAMES_MAX;
				}, `Invalid parameter: domains must be ${HISTOGRAM_TEXT}`)
				.describe(
					`How many addresses the list has at each domain, up to ${thousands(NAMES_MAX)} domains. Names that are no domains are left out`,
				),
		},
		{ error: 'The body must be a JSON object with domains' },
	)
	.openapi('QuoteRequest', {
		description: 'The domains of a list, without its addresses',
		example: { domains: { 'gmail.com': 22_500, 'yahoo.com': 6_200, 'acme.com': 12 } },
	});

export const quote = z
	.object({
		addresses: count.describe('Addresses of the list, without those at names that are no domains'),
		expected: z
			.object({
				told: count.describe(
					'Addresses that can have a definite answer, which is charged. Greylisting and servers that are down may leave some `unknown`',
				),
				not_told_free: count.describe(
					'Addresses at providers that accept everything, which will be `unknown` and free',
				),
				by_provider: z
					.array(
						z.object({
							provider: openWord(
								[...operatorWords('others'), ...operatorWords('gateways')],
								`Who takes the mail, as in \`smtp_provider\` or \`gateway\`; null: others. Large providers are known by name, and of all other domains the ${LOOKED_UP_MAX} with the most addresses are looked up.`,
							).nullable(),
							addresses: count.describe('Addresses of the list there'),
							told_at_rcpt: flag.describe(
								'Whether its mail servers tell mailboxes that exist from others; null: not known, or different for each customer',
							),
							minutes: count.describe(
								'How long they take at least, by what the mail servers accept from us a minute and a day',
							),
						}),
					)
					.readonly()
					.describe('The addresses by provider, the largest first'),
			})
			.describe('What the answers will probably be'),
		maxCredits: creditCount.describe(
			'What is reserved when the list starts, in credits: no more can be charged, and each `unknown` is given back',
		),
		expectedMinutes: count.describe('How long the slowest provider takes, with no other list under way'),
	})
	.openapi('Quote', { description: 'What may be expected of a list' }) satisfies z.ZodType<Quote>;
