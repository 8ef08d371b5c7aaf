import type { Clock } from '../clock.ts';
import type { Terminal } from './terminal.ts';

const BAR_MAX = 30;
const BAR_MIN = 8;
// Where no line can be drawn twice, one is written for each of these shares.
const STEP = 0.25;
// The first seconds say little about the rate.
const SETTLED_MS = 2_000;

/** A bar with the share, the rate and the time left. */
export class Progress {
	readonly #terminal: Terminal;
	readonly #clock: Pick<Clock, 'now'>;
	readonly #total: number;
	#first: { readonly done: number; readonly at: number } | null = null;
	#step = -1;
	#isDrawn = false;

	constructor(terminal: Terminal, clock: Pick<Clock, 'now'>, total: number) {
		this.#terminal = terminal;
		this.#clock = clock;
		this.#total = total;
	}

	/** Shows how many are done. */
	show(done: number): void {
		const at = this.#clock.now();
		this.#first ??= { done, at };
		const share = this.#total === 0 ? 1 : Math.min(1, done / this.#total);
		const { columns } = this.#terminal;
		const words = `${percent(share)}  ${count(done)} of ${count(this.#total)}${this.#pace(done, at)}`;
		if (columns === null) {
			const step = Math.floor(share / STEP);
			if (step > this.#step) this.#terminal.say(`${words}\n`);
			this.#step = Math.max(step, this.#step);
			return;
		}
		const room = Math.min(BAR_MAX, columns - words.length - 2);
		const bar = room < BAR_MIN ? '' : `${'█'.repeat(Math.round(share * room)).padEnd(room, '░')} `;
		this.#terminal.say(`\r\x1B[K${(bar + words).slice(0, Math.max(1, columns - 1))}`);
		this.#isDrawn = true;
	}

	/** Leaves the line. */
	end(): void {
		if (this.#isDrawn) this.#terminal.say('\n');
		this.#isDrawn = false;
	}

	#pace(done: number, at: number): string {
		const { done: before, at: since } = this.#first ?? { done, at };
		const seconds = (at - since) / 1000;
		if (at - since < SETTLED_MS || done <= before || done >= this.#total) return '';
		const rate = (done - before) / seconds;
		return `  ${rate < 10 ? rate.toFixed(1) : count(Math.round(rate))}/s  ${duration((this.#total - done) / rate)} left`;
	}
}

function percent(share: number): string {
	// 100 % only when all is done.
	return `${String(Math.floor(share * 100)).padStart(3)} %`;
}

/** `1,234` */
export function count(number: number): string {
	return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `45 s`, `12 min`, `1 h 05 min` */
export function duration(seconds: number): string {
	if (seconds < 60) return `${Math.ceil(seconds)} s`;
	const minutes = Math.round(seconds / 60);
	return minutes < 60
		? `${minutes} min`
		: `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
