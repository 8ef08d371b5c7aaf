import { parseDomain } from '../core/address/parse-address.ts';
import type { Address } from '../core/address/parse-address.ts';
import { judgement } from '../core/catchall/breakdown.ts';
import type { Judgement } from '../core/catchall/breakdown.ts';
import { finding } from '../core/catchall/table.ts';
import { mistypedWordOf, REFUSALS, testAnswerOf, testWordOf, WORDS } from '../core/test-keys/words.ts';
import { subStatusOfCatchAll } from '../core/verification/decide.ts';
import { decidedBy } from '../core/verification/render.ts';
import type { CatchAllVerdict } from '../core/verification/render.ts';
import { statusOf } from '../core/verification/sub-status.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import { ServiceError, insufficientCredits } from '../errors.ts';
import { noDomain } from './describe-domains.ts';
import type { DomainReport } from './describe-domains.ts';
import type { Findings, How } from './case.ts';
import { QUICK, QUICK_TYPO } from './verdict.ts';
import { listFacts } from './refusal.ts';

const MX_RECORD = 'mx.mailsonar.example';
const CHECKED_AT = '2026-11-21T10:00:00.000Z';
const SCORES = { valid: 87, unknown: 50, invalid: 10 } as const;
const VERDICTS = {
	deliverable: 'valid',
	undeliverable: 'invalid',
	risky: 'unknown',
	unknown: 'unknown',
} as const;
const TOLD_BY_DNS: readonly SubStatus[] = [
	'invalid_domain',
	'no_mx_records',
	'does_not_accept_mail',
	'dns_error',
];

/** The findings about an address as a test key is answered: by the word before the @, without asking anybody. */
export function findForTest(
	address: Address,
	{ deep, quick = false }: Pick<How, 'deep' | 'quick'>,
): Findings {
	const { subStatus, gateway } = testAnswerOf(testWordOf(address.localPart));
	const found = { lists: listFacts(address, subStatus === 'disposable'), invented: null, judgement: null };
	const isByDns = TOLD_BY_DNS.includes(subStatus);
	if (quick) {
		if (subStatus === 'possible_typo') return { ...found, outcome: QUICK_TYPO };
		// Only a mail server could tell the others.
		if (!isByDns && subStatus !== 'disposable' && subStatus !== 'free_limit')
			return { ...found, outcome: QUICK };
		return { ...found, outcome: decidedBy(isByDns ? 'dns' : 'list', subStatus) };
	}
	const isCatchAll = subStatus.startsWith('catch_all');
	const method =
		subStatus === 'disposable' ? 'list' : isByDns || subStatus === 'unroutable_mx' ? 'dns' : 'smtp';
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
	const judged = judge(VERDICTS[statusOf(subStatus)]);
	const { score, verdict } = judged;
	const catchAllScore = { score, verdict };
	return {
		...found,
		outcome: { ...outcome, subStatus: judged.subStatus, catchAll: true, catchAllScore },
		judgement: judged,
	};
}

/** The judgement of an address on a made-up catch-all domain. */
function judge(verdict: CatchAllVerdict): Judgement {
	const text = 'A test key: the word before the @ asks for this verdict';
	const rule = { section: 'smtp', label: `test:${verdict}`, text } as const;
	const findings = [finding('dmarc:reject'), finding('age:long', '15 years', 'age:15y')];
	const subStatus = subStatusOfCatchAll(verdict);
	return judgement(findings, { score: SCORES[verdict], coverage: 0.94, rule, subStatus, isCatchAll: true });
}

/** Throws the first error that one of the words asks for. */
export function refuseForTest(localParts: readonly string[]): void {
	const word = localParts.map(testWordOf).find((one) => Object.hasOwn(REFUSALS, one));
	if (word === '402') throw insufficientCredits(localParts.length, 0);
	if (word === '503')
		throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
	// The window is not used up: a program that is tried should not have to wait for its end.
	if (word === '429')
		throw new ServiceError('rate_limited', 'Developer API rate limit exceeded', { retryAfterSeconds: 1 });
}

/** Throws if an address has a word that was meant for one of the table: it would pass for deliverable. */
export function refuseMistyped(emails: readonly string[], param: 'email' | 'emails'): void {
	const word = emails.map(mistypedWordOf).find((mistyped) => mistyped !== null);
	if (word === undefined) return;
	const text = `Invalid parameter: ${word} is no word of the test keys, which are ${[...WORDS].join(', ')}`;
	throw new ServiceError('invalid_parameter', text, { details: { param } });
}

/** Describes domains by the word that each begins with, with hyphens: `catch-all.example.com`. */
export function describeForTest(names: readonly string[]): readonly DomainReport[] {
	const words = names.map((name) => testWordOf(name.trim().split('.')[0] ?? '').replaceAll('-', '_'));
	refuseForTest(words);
	return names.map((name, at) => {
		const { subStatus, gateway } = testAnswerOf(words[at] ?? '');
		if (parseDomain(name) === null || subStatus === 'invalid_domain') return noDomain(name);
		const hasMail = !TOLD_BY_DNS.includes(subStatus);
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
	});
}
