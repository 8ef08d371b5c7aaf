import type { Address } from '../core/address/parse-address.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import {
	isDisposableHost,
	isDisposable,
	isFreeProvider,
	isNoReply,
	isPrivacyRelay,
	isRole,
} from '../core/lists/domain-kinds.ts';
import { suggestDomain } from '../core/lists/typos.ts';
import { findMailOperator } from '../core/mail-operators/operators.ts';
import { decidedBy } from '../core/verification/render.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import type { ExaminePorts } from './case.ts';
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
	return route.hosts.every((name) => {
		if (findMailOperator([name]) !== null) return false;
		const addresses = hosts?.find((host) => host.name === name)?.addresses ?? [];
		return isDisposableHost({ name, addresses }) || isDisposable(name);
	});
}

/** The outcome for addresses that are not asked about. `mailHost`: the one that shows it; left out: the domain's name does. */
export function refusedBy(why: 'opted_out' | 'free_limit' | 'disposable', mailHost?: string): Outcome {
	if (mailHost === undefined) return decidedBy('list', why);
	const note = 'Mail for this domain goes to the mail host of a disposable mail service';
	return { ...decidedBy('dns', why), mxRecord: mailHost, note };
}

/** The facts of our lists about an address. */
export function listFacts({ localPart, domain }: Address, disposable = isDisposable(domain)): ListFacts {
	return {
		freeEmail: isFreeProvider(domain),
		roleAccount: isRole(localPart),
		disposable,
		noReply: isNoReply(localPart),
		suggestedDomain: suggestDomain(domain),
	};
}
