import { localPartOf, parseDomain } from './core/address/parse-address.ts';
import type { Address } from './core/address/parse-address.ts';
import { judgement } from './core/catchall/breakdown.ts';
import { finding } from './core/catchall/table.ts';
import type { Entry } from './core/jobs/part-rows.ts';
import { SILENT } from './core/metrics/metrics.ts';
import { mistypedWordOf, REFUSALS, testAnswerOf, testWordOf, WORDS } from './core/test-keys/words.ts';
import type { DEEDS } from './core/test-keys/words.ts';
import { subStatusOfCatchAll } from './core/verification/decide.ts';
import { decidedBy, listFacts } from './core/verification/render.ts';
import { statusOf, verdictOf } from './core/verification/sub-status.ts';
import type { SubStatus } from './core/verification/sub-status.ts';
import { QUICK, QUICK_TYPO } from './engine/case.ts';
import type { How } from './engine/case.ts';
import type { Conclusion } from './engine/examine.ts';
import { noDomain } from './engine/describe-domains.ts';
import type { DomainReport } from './engine/describe-domains.ts';
import { errorOf, insufficientCredits, ServiceError } from './errors.ts';
import type { Services } from './services.ts';

const SLOW_MS = 20_000;
const MX_RECORD = 'mx.mailsonar.example';
const CHECKED_AT = '2026-11-21T10:00:00.000Z';

/**
 * The services of a test key: everything works as usual, except that no mail server is asked. The address's own word
 * decides the answer, at once and without repetitions.
 */
export function servicesOfTestKeys(services: Services): Services {
	const { clock, jobBlobs } = services;
	return {
		...services,
		metrics: SILENT,
		examineAddresses: async (addresses, how) => {
			const localParts = addresses.map(({ localPart }) => localPart);
			refuse(localParts);
			if (how.class === 'single')
				refuseMistyped(
					addresses.map(({ email }) => email),
					'email',
				);
			if (how.quick !== true && asksFor('slow', localParts)) await clock.sleep(SLOW_MS);
			return addresses.map((address) => findingsOf(address, how));
		},
		describeDomains: async (names) => {
			// A domain has hyphens where a word has underscores.
			const words = names.map((name) => testWordOf(name.trim().split('.')[0] ?? '').replaceAll('-', '_'));
			refuse(words);
			return names.map((name, at) => reportOf(name, words[at] ?? ''));
		},
		lookUpMail: async () => ({ route: { kind: 'no_mail_host' }, hosts: [] }),
		requireProber: () => {},
		jobBlobs: {
			...jobBlobs,
			readPart: async (jobId, part) => {
				const input = await jobBlobs.readPart(jobId, part);
				const entries = JSON.parse(input ?? '[]') as readonly Entry[];
				const localParts = entries.map(([, email]) => localPartOf(email));
				// The input of a part that shall fail is gone.
				return asksFor('fails', localParts) ? null : input;
			},
		},
		termsOf: (addresses) => {
			const localParts = addresses.map(localPartOf);
			refuse(localParts);
			refuseMistyped(addresses, 'emails');
			const timing = { ...services.jobTiming, retryDelaysMs: [] };
			return asksFor('expired', localParts) ? { ...timing, resultsTtlMs: 0 } : timing;
		},
	};
}

/** Whether one of the local parts asks for the deed. */
function asksFor(deed: keyof typeof DEEDS, localParts: readonly string[]): boolean {
	return localParts.some((localPart) => testWordOf(localPart) === deed);
}

/** Throws the first error that one of the words asks for. */
function refuse(localParts: readonly string[]): void {
	const word = localParts.map(testWordOf).find((one) => Object.hasOwn(REFUSALS, one));
	if (word === '402') throw insufficientCredits(localParts.length, 0);
	if (word === '503')
		throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
	// The window is not used up: a program that is tried should not have to wait for its end.
	if (word === '429') throw errorOf('rate_limited', { retryAfterSeconds: 1 });
}

/** Throws if an address has a word that was meant for one of the table: it would pass for deliverable. */
function refuseMistyped(emails: readonly string[], param: 'email' | 'emails'): void {
	const word = emails.map(mistypedWordOf).find((mistyped) => mistyped !== null);
	if (word === undefined) return;
	const text = `Invalid parameter: ${word} is no word of the test keys, which are ${[...WORDS].join(', ')}`;
	throw new ServiceError('invalid_parameter', text, { details: { param } });
}

const BY_ROUTE: readonly SubStatus[] = [
	'invalid_domain',
	'no_mx_records',
	'does_not_accept_mail',
	'dns_error',
];
const BY_LIST: readonly SubStatus[] = ['disposable', 'free_limit'];

/** The findings about an address by the word before the @, without asking anybody. */
function findingsOf(address: Address, { deep, quick = false }: How): Conclusion {
	const { subStatus, gateway } = testAnswerOf(testWordOf(address.localPart));
	const found = { lists: listFacts(address, subStatus === 'disposable'), judgement: null };
	const byRoute = BY_ROUTE.includes(subStatus);
	const byList = BY_LIST.includes(subStatus);
	if (quick && subStatus === 'possible_typo') return { ...found, outcome: QUICK_TYPO };
	// Only a mail server could tell the others.
	if (quick && !byRoute && !byList) return { ...found, outcome: QUICK };
	const method = byList ? 'list' : byRoute || subStatus === 'unroutable_mx' ? 'dns' : 'smtp';
	const isCatchAll = subStatus.startsWith('catch_all');
	const outcome = {
		...decidedBy(method, isCatchAll ? 'catch_all' : subStatus),
		catchAll: isCatchAll ? true : subStatus === 'accepted_email' ? false : null,
		mxRecord: method === 'smtp' ? MX_RECORD : null,
		gateway,
	};
	// The word `catch_all` asks for what a job says that leaves the deeper check to a task.
	const isDeep = deep === 'always' || (deep === 'catch_all' && isCatchAll && subStatus !== 'catch_all');
	if (!isDeep) return { ...found, outcome };
	// A task's verdict may be about an address whose domain is no catch-all.
	const score = SCORES[statusOf(subStatus)];
	const text = 'A test key: the word before the @ asks for this verdict';
	const rule = { section: 'smtp', label: `test:${verdictOf(score)}`, text } as const;
	const signals = [finding('dmarc:reject'), finding('age:long', '15 years', 'age:15y')];
	const scored = { subStatus: subStatusOfCatchAll(score), catchAll: true };
	const judged = judgement(signals, { ...scored, isCatchAll: true, score, coverage: 0.94, rule });
	return {
		...found,
		outcome: { ...outcome, ...scored, catchAllScore: score },
		judgement: judged,
	};
}

const SCORES = {
	deliverable: 87,
	undeliverable: 10,
	risky: 50,
	unknown: 50,
} as const;

function reportOf(name: string, word: string): DomainReport {
	const { subStatus, gateway } = testAnswerOf(word);
	if (parseDomain(name) === null || subStatus === 'invalid_domain') return noDomain(name);
	const hasMail = !BY_ROUTE.includes(subStatus);
	const isFailed = subStatus === 'dns_error';
	const isCatchAll = subStatus.startsWith('catch_all');
	return {
		...noDomain(name),
		exists: isFailed ? null : true,
		accepts_mail: isFailed ? null : hasMail,
		mx: hasMail ? [MX_RECORD] : [],
		gateway,
		catch_all: isCatchAll || null,
		catch_all_checked_at: isCatchAll ? CHECKED_AT : null,
		disposable: subStatus === 'disposable',
		did_you_mean: subStatus === 'possible_typo' ? 'gmail.com' : null,
		told_at_rcpt: hasMail ? !isCatchAll && subStatus !== 'accepts_everything' : null,
	};
}
