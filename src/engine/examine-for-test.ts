import { parseDomain } from '../core/address/parse-address.ts';
import type { Address } from '../core/address/parse-address.ts';
import { judgeForTest } from '../core/test-keys/judge-for-test.ts';
import {
	asksFor,
	catchAllVerdictOf,
	mistypedWordOf,
	refusalOf,
	testAnswerOf,
	testWordOf,
	WORDS,
} from '../core/test-keys/words.ts';
import type { TestAnswer } from '../core/test-keys/words.ts';
import { decidedBy, renderResult } from '../core/verification/render.ts';
import type { CatchAllVerdict, Outcome } from '../core/verification/render.ts';
import { statusOf } from '../core/verification/sub-status.ts';
import { ServiceError, insufficientCredits } from '../errors.ts';
import { noDomain } from './describe-domains.ts';
import type { DomainReport } from './describe-domains.ts';
import type { Examined, Findings, How } from './case.ts';
import { QUICK, QUICK_TYPO } from './verdict.ts';
import { listFacts } from './refusal.ts';
import type { Clock } from './ports.ts';

const SLOW_MS = 20_000;
const MX_RECORD = 'mx.mailsonar.example';
const CHECKED_AT = '2026-11-21T10:00:00.000Z';
const BY_DNS: ReadonlySet<string> = new Set([
	'invalid_domain',
	'no_mx_records',
	'does_not_accept_mail',
	'unroutable_mx',
	'dns_error',
]);

interface TestPorts {
	readonly clock: Clock;
}

/** Answers about an address as a test key is answered: by the word before the @, without asking anybody. */
export async function examineForTest(
	ports: TestPorts,
	address: Address,
	{ quick = false }: Pick<Partial<How>, 'quick'> = {},
): Promise<Examined> {
	refuseForTest([address.localPart]);
	refuseMistyped([address.email], 'email');
	if (!quick) await waitForSlow(ports, [address]);
	const { lists, outcome, judgement } = quick ? quickFindingsOf(address) : findingsOf(address, 'catch_all');
	const result = renderResult(address, lists, outcome, ports.clock.now());
	return { result, breakdown: judgement?.breakdown ?? null };
}

/** As `examineForTest`, for a part of a job. */
export async function examineListForTest(
	ports: TestPorts,
	addresses: readonly Address[],
	{ deep }: Pick<How, 'deep'>,
): Promise<readonly Findings[]> {
	await waitForSlow(ports, addresses);
	return addresses.map((address) => findingsOf(address, deep));
}

async function waitForSlow({ clock }: TestPorts, addresses: readonly Address[]): Promise<void> {
	if (addresses.some(({ localPart }) => asksFor('slow', localPart))) await clock.sleep(SLOW_MS);
}

/** Throws the first error that one of the local parts asks for. */
export function refuseForTest(localParts: readonly string[]): void {
	const refusal = localParts
		.map((localPart) => refusalOf(testWordOf(localPart)))
		.find((result) => result !== null);
	switch (refusal) {
		case 'insufficient_credits':
			throw insufficientCredits(localParts.length, 0);
		case 'rate_limited':
			// The window is not used up: a program that is tried should not have to wait for its end.
			throw new ServiceError('rate_limited', 'Developer API rate limit exceeded', { retryAfterSeconds: 1 });
		case 'upstream_unavailable':
			throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
		case undefined:
	}
}

/** Throws if an address has a word that was meant for one of the table: it would pass for deliverable. */
export function refuseMistyped(emails: readonly string[], param: 'email' | 'emails'): void {
	const word = emails.map(mistypedWordOf).find((mistyped) => mistyped !== null);
	if (word === undefined) return;
	const text = `Invalid parameter: ${word} is no word of the test keys, which are ${[...WORDS].join(', ')}`;
	throw new ServiceError('invalid_parameter', text, { details: { param } });
}

function findingsOf(address: Address, deep: How['deep']): Findings {
	const answer = testAnswerOf(testWordOf(address.localPart));
	const verdict = catchAllVerdictOf(answer.subStatus);
	// The word `catch_all` asks for what a job says that leaves the deeper check to a task.
	const isDeep =
		deep === 'always' || (deep === 'catch_all' && verdict !== null && answer.subStatus !== 'catch_all');
	const lists = listFacts(address, answer.subStatus === 'disposable');
	const found = { lists, invented: null };
	if (!isDeep) return { ...found, outcome: outcomeOf(answer, verdict), judgement: null };
	const judgement = judgeForTest(verdict ?? verdictFrom(answer));
	const { score, subStatus } = judgement;
	const catchAllScore = { score, verdict: judgement.verdict };
	const outcome = { ...outcomeOf(answer, verdict), subStatus, catchAll: true, catchAllScore };
	return { ...found, outcome, judgement };
}

/** The findings of the quick check: none that only a mail server could give. */
function quickFindingsOf(address: Address): Findings {
	const { subStatus } = testAnswerOf(testWordOf(address.localPart));
	const lists = listFacts(address, subStatus === 'disposable');
	const found = { lists, invented: null, judgement: null };
	if (subStatus === 'possible_typo') return { ...found, outcome: QUICK_TYPO };
	const isToldByDns = BY_DNS.has(subStatus) && subStatus !== 'unroutable_mx';
	if (isToldByDns || subStatus === 'disposable' || subStatus === 'free_limit')
		return { ...found, outcome: decidedBy(isToldByDns ? 'dns' : 'list', subStatus) };
	return { ...found, outcome: QUICK };
}

/** Describes domains by the word that each begins with, with hyphens: `catch-all.example.com`. */
export function describeForTest(names: readonly string[]): readonly DomainReport[] {
	const words = names.map((name) => testWordOf(name.trim().split('.')[0] ?? '').replaceAll('-', '_'));
	refuseForTest(words);
	return names.map((name, at) => {
		const word = words[at] ?? '';
		const { subStatus, gateway } = testAnswerOf(word);
		if (parseDomain(name) === null || subStatus === 'invalid_domain') return noDomain(name);
		const hasMail = !BY_DNS.has(subStatus) || subStatus === 'unroutable_mx';
		const isFailed = subStatus === 'dns_error';
		const isCatchAll = hasMail && catchAllVerdictOf(subStatus) !== null;
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

function outcomeOf({ subStatus, gateway }: TestAnswer, verdict: CatchAllVerdict | null): Outcome {
	const method = subStatus === 'disposable' ? 'list' : BY_DNS.has(subStatus) ? 'dns' : 'smtp';
	return {
		...decidedBy(method, verdict === null ? subStatus : 'catch_all'),
		catchAll: verdict !== null ? true : subStatus === 'accepted_email' ? false : null,
		mxRecord: method === 'smtp' ? MX_RECORD : null,
		gateway,
	};
}

/** A task's verdict about an address that it would not have been given: its domain is no catch-all. */
function verdictFrom({ subStatus }: TestAnswer): CatchAllVerdict {
	const status = statusOf(subStatus);
	if (status === 'deliverable') return 'valid';
	return status === 'undeliverable' ? 'invalid' : 'unknown';
}
