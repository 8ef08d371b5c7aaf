import { parseDomain } from '../core/address/parse-address.ts';
import { findMailExchangers } from '../core/dns/find-mail-exchangers.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { Resolver } from '../core/dns/resolver.ts';
import { isDisposable, isFreeProvider } from '../core/lists/domain-kinds.ts';
import { suggestDomain } from '../core/lists/typos.ts';
import { findMailOperator } from '../core/mail-operators/operators.ts';
import { Slots } from '../lib/slots.ts';
import { leadsToDisposable } from './case.ts';
import type { ExaminePorts } from './case.ts';

/** The most mail exchangers that are named. An Idempotency-Key's answer has to fit into a row of 2 MB. */
export const MX_MAX = 5;
// As many connections as an invocation has. A domain uses one at a time.
const AT_ONCE = 6;
const NAME_LENGTH_MAX = 253;
const NOT_REACHED: MailRoute = { kind: 'undetermined', cause: 'timeout' };

export interface DescribePorts extends Pick<ExaminePorts, 'clock' | 'catchAlls'> {
	/** `hasty` gives up after a moment, so that dead name servers do not use up the time of all other domains. */
	readonly resolver: Resolver & { readonly hasty: Resolver };
}

/**
 * Describes domains by DNS, lists and memory, in the order of their names. No mail server is asked. A domain whose name
 * servers are slow is looked up again after the others; what has no answer within the budget stays unknown. Throws
 * `ServiceError` when our own resolvers fail.
 */
export async function describeDomains(
	ports: DescribePorts,
	{ budgetMs }: { readonly budgetMs: number },
	names: readonly string[],
): Promise<readonly DomainReport[]> {
	const { clock } = ports;
	const deadline = clock.now() + budgetMs;
	const domains = names.map(parseDomain);
	const routes = new Map<string, MailRoute>();
	let left: readonly string[] = [...new Set(domains.filter((domain) => domain !== null))];
	let fault: unknown = null;
	for (const resolver of [ports.resolver.hasty, ports.resolver]) {
		// Our resolvers failed: the others are not tried in haste, and what failed is looked up again.
		fault = null;
		const slots = new Slots(AT_ONCE);
		const lookUp = async (domain: string): Promise<void> => {
			if (clock.now() >= deadline || fault !== null) return;
			try {
				routes.set(domain, await findMailExchangers(resolver, domain));
			} catch (error) {
				fault ??= error;
			}
		};
		await Promise.all(left.map((domain) => slots.run(() => lookUp(domain))));
		left = left.filter((domain) => isTimeout(routes.get(domain) ?? NOT_REACHED));
	}
	if (fault !== null) throw fault;
	return domains.map((domain, at) => {
		if (domain === null) return noDomain(names[at] ?? '');
		return reportOf(ports, domain, routes.get(domain) ?? NOT_REACHED);
	});
}

const isTimeout = (route: MailRoute): boolean => route.kind === 'undetermined' && route.cause === 'timeout';

function reportOf(ports: DescribePorts, domain: string, route: MailRoute): DomainReport {
	const hasHosts = route.kind === 'hosts';
	const known = hasHosts ? ports.catchAlls?.get(domain, ports.clock.now()) : undefined;
	const mx = hasHosts && !route.implicit ? route.hosts : [];
	const operator = findMailOperator(mx);
	const isUndetermined = route.kind === 'undetermined';
	const isChecked = operator?.routeClass === 'validating' ? true : null;
	return {
		...noDomain(domain),
		exists: isUndetermined ? null : route.kind !== 'no_such_domain',
		accepts_mail: isUndetermined ? null : hasHosts,
		mx: mx.slice(0, MX_MAX),
		smtp_provider: operator?.smtpProvider ?? null,
		gateway: operator?.gateway ?? null,
		catch_all: known?.catchAll ?? null,
		catch_all_checked_at: known === undefined ? null : new Date(known.at).toISOString(),
		disposable: isDisposable(domain) || leadsToDisposable(domain, { route, hosts: [] }),
		free: isFreeProvider(domain),
		told_at_rcpt:
			operator?.routeClass === 'blind' ? false : known === undefined ? isChecked : !known.catchAll,
	};
}

/** The report on a text that is no domain: nothing of that name exists. */
export function noDomain(text: string) {
	const name = text.trim();
	return {
		/** A-labels, lower case; a text that is no domain as it was sent, trimmed. */
		domain: name,
		exists: false as Told,
		accepts_mail: false as Told,
		/** The best mail exchangers first; empty without MX records. */
		mx: [] as readonly string[],
		smtp_provider: null as string | null,
		gateway: null as string | null,
		catch_all: null as Told,
		catch_all_checked_at: null as string | null,
		disposable: false,
		free: false,
		did_you_mean: name.length > NAME_LENGTH_MAX ? null : suggestDomain(name),
		told_at_rcpt: null as Told,
	};
}

/** Null: DNS gave no answer, or not known. */
type Told = boolean | null;

/** The facts about a domain that need no mail server, in the API's form. */
export type DomainReport = Readonly<ReturnType<typeof noDomain>>;
