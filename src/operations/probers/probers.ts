import { Counter } from '../../core/metrics/metrics.ts';
import { isOperator } from '../../core/mail-operators/operators.ts';
import { requireDomain } from '../opt-outs/opt-outs.ts';
import { ServiceError } from '../../errors.ts';
import type { Services } from '../../services.ts';

/** A prober by its name, and its state, or why there is none. */
export type SeenProber = Awaited<ReturnType<Services['probers']['states']>>[number];

/**
 * Notes the state of each prober, and which operators keep its source addresses waiting; single domains and accounts are left
 * out. Hosts of unknown operators are `other`.
 */
export async function noteProbers({
	probers,
	metrics,
}: Pick<Services, 'probers' | 'metrics'>): Promise<void> {
	for (const one of await probers.states()) {
		const { prober } = one;
		if ('silent' in one) {
			metrics.note('prober_state', { prober, state: one.silent, connections: 0, waiting: 0, pauses: 0 });
			continue;
		}
		const { draining, stateFails, connections, waiting, paused } = one.state;
		const state = draining ? 'draining' : stateFails ? 'disk_fails' : 'works';
		const pauses = paused
			.filter(({ only }) => only === null)
			.map(({ operator, why }) => ({ operator: isOperator(operator) ? operator : 'other', why }));
		metrics.note('prober_state', { prober, state, connections, waiting, pauses: pauses.length });
		for (const same of Map.groupBy(pauses, ({ operator, why }) => `${operator} ${why}`).values())
			for (const pause of same.slice(0, 1))
				metrics.note('operator_pause', { prober, ...pause, count: same.length });
	}
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * The accounts that asked about a domain on a day (UTC; the last seven are known), those that asked most first, and the
 * probers that do not say. For a report of abuse, which names the two. Throws `invalid_parameter`.
 */
export async function findAskers(
	{ probers }: Pick<Services, 'probers'>,
	request: { readonly domain: string; readonly day: string },
) {
	const domain = requireDomain(request.domain);
	if (!DAY.test(request.day)) throw new ServiceError('invalid_parameter', 'day must be like 2026-11-22');
	const accounts = new Counter();
	const silent: string[] = [];
	for (const one of await probers.askers(domain, request.day)) {
		if ('silent' in one) silent.push(one.prober);
		else for (const { asker, addresses } of one.askers) accounts.add(asker, addresses);
	}
	const found = accounts.largest(Infinity, '').map(([accountId, addresses]) => ({ accountId, addresses }));
	return { accounts: found, silent };
}
