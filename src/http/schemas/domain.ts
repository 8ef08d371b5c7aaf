import * as z from 'zod';
import { MX_MAX } from '../../engine/describe-domains.ts';
import type { DomainReport } from '../../engine/describe-domains.ts';
import { DOMAINS_MAX } from '../../operations/verify/port.ts';
import { component, flag, flagOrNull, momentOrNull, requestBody, text, textOrNull, texts } from './fields.ts';
import { gateway, smtpProvider } from './verification.ts';

const ACME = { domains: ['acme.com'] };

/** POST /v1/domains, request. */
export const domainsRequest = requestBody('DomainsRequest', 'The domains to look up', ACME, 'domains', {
	domains: texts(
		'domains',
		DOMAINS_MAX,
		'A domain, in any script',
		'The domains. What is no domain is answered, too: it does not exist',
	),
});

const EXAMPLE = {
	domain: 'acme.com',
	exists: true,
	accepts_mail: true,
	mx: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'],
	smtp_provider: 'google',
	gateway: null,
	catch_all: false,
	catch_all_checked_at: '2026-07-01T10:00:08.000Z',
	disposable: false,
	free: false,
	did_you_mean: null,
	told_at_rcpt: true,
} satisfies DomainReport;

const KNOWN = 'What is known of a domain without asking its mail servers';
export const domainReport = component('DomainReport', KNOWN, null, {
	domain: text('The domain in lower case and A-labels (`xn--…`); what is no domain as it was sent, trimmed'),
	exists: flagOrNull('Whether the domain exists; null: its name servers gave no answer in time'),
	accepts_mail: flagOrNull(
		'Whether the domain names mail servers, or has an address of its own that takes their place (RFC 5321 §5.1); null: no answer in time',
	),
	mx: z
		.array(z.string())
		.max(MX_MAX)
		.readonly()
		.describe(`Its mail exchangers, the best first, at most ${MX_MAX}; empty without MX records`),
	smtp_provider: smtpProvider,
	gateway,
	catch_all: flagOrNull(
		'Whether the domain accepted every address when we last asked its mail server; null: nothing is remembered',
	),
	catch_all_checked_at: momentOrNull('When that was', 'null: not remembered'),
	disposable: flag('Whether the domain belongs to a service of throw-away mailboxes'),
	free: flag('Whether the domain is a provider of free mailboxes'),
	did_you_mean: textOrNull('The large provider that was probably meant; null: no such slip'),
	told_at_rcpt: flagOrNull(
		'Whether its mail servers tell mailboxes that exist from others; false where they accept everything, null where we do not know',
	),
}) satisfies z.ZodType<DomainReport>;

const REPORTED = { results: [EXAMPLE] };
export const domainReports = component('DomainReports', 'The reports on domains', REPORTED, {
	results: z.array(domainReport).readonly().describe('A report for each domain, in the order sent'),
});
