import type { Address } from '../core/address/parse-address.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import { decidedBy } from '../core/verification/render.ts';
import type { ListFacts } from '../core/verification/render.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import { isDisposableHost } from '../core/lists/disposable-hosts.ts';
import { isDisposable, isFreeProvider, isPrivacyRelay } from '../core/lists/domain-kinds.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { ExaminePorts, Findings, Manner } from './examination.ts';
import type { LookedUpMail } from './look-up-mail.ts';

/**
 * Whether a mail host of the route belongs to a domain that opted out. Not the host of an operator that we know: its
 * customers did not ask, and its own domain speaks for its own mailboxes only.
 */
export async function leadsToOptedOut(
	{ optOuts }: Pick<ExaminePorts, 'optOuts'>,
	route: MailRoute,
): Promise<boolean> {
	if (optOuts === undefined || route.kind !== 'hosts') return false;
	const hosts = route.hosts.filter((host) => route.implicit || findMailOperator([host]) === null);
	const covered = await Promise.all(hosts.map((host) => optOuts.covers(host)));
	return covered.includes(true);
}

/**
 * Whether each mail host of the route takes mail for disposable services only: by its name, its IP address, or because its
 * own domain is on the list of disposable domains. Not a relay, and not the host of an operator that we know.
 */
export function leadsToDisposable(domain: string, { route, hosts }: LookedUpMail): boolean {
	if (route.kind !== 'hosts' || route.implicit || isPrivacyRelay(domain) || isFreeProvider(domain))
		return false;
	for (const name of route.hosts) {
		if (findMailOperator([name]) !== null) return false;
		const addresses = hosts?.find((host) => host.name === name)?.addresses ?? [];
		if (!isDisposableHost({ name, addresses }) && !isDisposable(name)) return false;
	}
	return true;
}

/** Why no mail host is asked about an address. */
export type Unasked = Extract<SubStatus, 'opted_out' | 'free_limit' | 'disposable'>;

/** The reason, and the mail host that shows it; no host if the domain's name alone does. */
export interface NotAsked {
	readonly unasked: Unasked;
	readonly mailHost?: string | null;
}

const BY_HOST = 'Mail for this domain goes to the mail host of a disposable mail service';

/** The findings about an address that is not asked about: only its name was looked at. */
export async function unasked(
	{ address, lists }: { readonly address: Address; readonly lists: ListFacts },
	{ unasked: why, mailHost = null }: NotAsked,
	{ deep, sourceList }: Pick<Manner, 'deep' | 'sourceList'>,
): Promise<Findings> {
	const outcome =
		mailHost === null
			? decidedBy('list', why)
			: { ...decidedBy('dns', why), mxRecord: mailHost, note: BY_HOST };
	if (deep !== 'always' || why === 'disposable') return { lists, outcome, invented: null, judgement: null };
	const { judgeByName } = await import('./judge-catch-all.ts');
	const judgement = judgeByName(address, sourceList, why);
	const catchAllScore = { score: judgement.score, verdict: judgement.verdict };
	return { lists, outcome: { ...outcome, catchAllScore }, invented: null, judgement };
}
