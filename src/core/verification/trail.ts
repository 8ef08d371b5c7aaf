import { MODEL } from '../catchall/table.ts';
import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import type { MailOperator } from '../mail-operators/operators.ts';
import { finished } from './evidence.ts';
import type { Evidence, TimedStep } from './evidence.ts';
import { serverOf } from './render.ts';
import type { ListFacts, Outcome } from './render.ts';
import { SUB_STATUSES, verdictOf } from './sub-status.ts';
import type { SubStatus } from './sub-status.ts';

/** The steps of an examination, noted as they happen. None holds a key, a password or any other secret. */
export class Trail {
	readonly begun: number;
	readonly #now: () => number;
	readonly #steps: TimedStep[] = [];
	/** The recipients that mail hosts replied to so far, invented ones included. */
	recipients = 0;
	/** The result's fields about the mail hosts; empty until the domain's mail is looked up. */
	server: Partial<Outcome> = {};

	/** @param now epoch milliseconds; the examination begins now */
	constructor(now: () => number) {
		this.#now = now;
		this.begun = now();
	}

	lists(facts: ListFacts): void {
		this.#add({ step: 'list', text: listWords(facts), source: 'lists' });
	}

	route(route: MailRoute, operator: MailOperator | null): void {
		this.server = serverOf(route, operator);
		const rule = operator === null ? {} : { rule: `operator.${operator.operator}`, source: 'mail-operators' };
		const hosts = route.kind === 'hosts' ? `MX ${route.hosts.join(', ')}` : route.kind;
		const isImplicit = route.kind === 'hosts' && route.implicit;
		this.#add({ step: 'dns', text: isImplicit ? 'no MX: the domain itself' : hosts, ...rule });
	}

	/** Notes the look-up of a mail host's addresses. */
	host(name: string, found: string): void {
		this.#add({ step: 'dns', host: name, text: found });
	}

	/** Notes the work of a prober, by its answer. */
	asked({ evidence, recipients }: { evidence: readonly TimedStep[]; recipients: number }): void {
		this.#steps.push(...evidence);
		this.recipients += recipients;
	}

	score(score: number): void {
		this.#add({ step: 'score', text: `${score} of 100: ${verdictOf(score)}`, source: MODEL });
	}

	decision(subStatus: SubStatus): void {
		this.#add({ step: 'rule', rule: subStatus, text: SUB_STATUSES[subStatus].reason });
	}

	/** The steps so far, in order, their times counted from `since` (epoch ms). */
	evidence(since = this.begun): readonly Evidence[] {
		const steps = finished(this.#steps);
		// A prober notes a connection when its conversation is over: it was before that.
		let next = Infinity;
		const times = steps
			.toReversed()
			.map(({ at }) => (next = Math.min(next, at)))
			.toReversed();
		return steps.map(({ at, ...step }, index) => ({
			...step,
			at_ms: Math.max(0, Math.round((times[index] ?? at) - since)),
		}));
	}

	#add(step: Omit<TimedStep, 'at'>): void {
		this.#steps.push({ ...step, at: this.#now() });
	}
}

function listWords(facts: ListFacts): string {
	const words = [
		facts.disposable ? 'disposable domain' : null,
		facts.freeEmail ? 'free provider' : null,
		facts.roleAccount ? 'role account' : null,
		facts.noReply ? 'no-reply' : null,
		facts.suggestedDomain === null ? null : `probably meant ${facts.suggestedDomain}`,
	].filter((word) => word !== null);
	return words.join(', ') || 'nothing known';
}
