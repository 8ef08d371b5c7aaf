import type { Egress } from '../../core/egress/egress.ts';
import { log } from '../../lib/log.ts';
import type { Clock } from '../ports.ts';

// A single dead mail host is its owner's fault. When no host is reached, a control decides whose fault it is: a mail host
// of a large provider, which no customer can make fail. So a list of dead hosts never looks like an outage of ours.

// Fewer may be a customer's dead hosts, which cost strangers no connection.
const FAILURES_IN_A_ROW = 6;
// However many dead hosts a customer names, the controls are dialled once in this time.
const KEPT_MS = 10_000;

interface WayOut {
	/** Addresses of hosts that were not reached since one was. */
	readonly failed: Set<string>;
	/** The control that was dialled last. */
	control: { readonly reached: Promise<boolean>; readonly until: number } | null;
	/** It took a connection. */
	isReached: boolean;
}

/** Decides for each way out whether it leads anywhere. */
export class Control {
	readonly #clock: Clock;
	readonly #reaches: (egress: Egress) => Promise<boolean>;
	readonly #ways = new Map<Egress, WayOut>();

	/** @param reaches dials the controls: whether one takes a connection */
	constructor(clock: Clock, reaches: (egress: Egress) => Promise<boolean>) {
		this.#clock = clock;
		this.#reaches = reaches;
	}

	/** Notes that a mail host was reached: the way out leads somewhere. */
	worked(egress: Egress): void {
		const way = this.#ways.get(egress);
		if (way === undefined) return;
		way.failed.clear();
		// The finding about the control stays: a living host among dead ones must not have the control dialled again.
		if (!way.isReached) this.#ways.delete(egress);
	}

	/**
	 * Whether the way out is out of order, so that the failure says nothing about the mail host at this address.
	 *
	 * @param isUnexplained the way out could not say why it failed, and perhaps never tried to reach the host
	 */
	async isOut(egress: Egress, address: string, isUnexplained: boolean): Promise<boolean> {
		const way = this.#ways.get(egress) ?? { failed: new Set<string>(), control: null, isReached: false };
		this.#ways.set(egress, way);
		if (way.failed.size < FAILURES_IN_A_ROW) way.failed.add(address);
		if (!isUnexplained && way.failed.size < FAILURES_IN_A_ROW) return false;
		const now = this.#clock.now();
		if (way.control === null || way.control.until <= now)
			way.control = { reached: this.#ask(egress, way), until: now + KEPT_MS };
		return !(await way.control.reached);
	}

	async #ask(egress: Egress, way: WayOut): Promise<boolean> {
		way.isReached = false;
		const reached = await this.#reaches(egress);
		way.isReached = reached;
		if (reached) way.failed.clear();
		else log('way_out_dead', { egress: egress.label }, 'warn');
		return reached;
	}
}
