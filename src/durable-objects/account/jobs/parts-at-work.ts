import { PARTS_AT_WORK_MAX } from '../../../core/jobs/part.ts';

export interface Work {
	readonly jobId: string;
	readonly part: number;
	readonly now: number;
	readonly leaseMs: number;
}

/**
 * The parts of an account that consumers work on. In memory only: this is about how many consumers one account keeps
 * busy, and an object that was started again may let in a few more.
 */
export class PartsAtWork {
	/** By part, until when its consumer has it (epoch ms). */
	readonly #parts = new Map<string, { readonly until: number; readonly isSmall: boolean }>();

	/** Whether the part's turn has come. */
	begin({ isSmall, ...work }: Work & { readonly isSmall: boolean }): boolean {
		const { now, leaseMs } = work;
		for (const [name, { until }] of this.#parts) if (until <= now) this.#parts.delete(name);
		const name = nameOf(work);
		const others = [...this.#parts].filter(([other, part]) => other !== name && part.isSmall === isSmall);
		if (others.length >= PARTS_AT_WORK_MAX[isSmall ? 'small' : 'others']) return false;
		this.#parts.set(name, { until: now + leaseMs, isSmall });
		return true;
	}

	/** Its consumer lives. */
	goOn(work: Work): void {
		const known = this.#parts.get(nameOf(work));
		if (known !== undefined)
			this.#parts.set(nameOf(work), { ...known, until: Math.max(known.until, work.now + work.leaseMs) });
	}

	/** Its consumer has given it back. */
	end(work: Pick<Work, 'jobId' | 'part'>): void {
		this.#parts.delete(nameOf(work));
	}
}

function nameOf({ jobId, part }: Pick<Work, 'jobId' | 'part'>): string {
	return `${jobId} ${part}`;
}
