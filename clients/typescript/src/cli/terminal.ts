import { escapeOf, thousands, UNSAFE } from '../../../../src/lib/text.ts';

const COLOURS = { green: 32, red: 31, yellow: 33, dim: 2 } as const;
export type Colour = keyof typeof COLOURS;

/** The colour of each status. */
export const STATUS_COLOURS: Readonly<Record<string, Colour>> = {
	deliverable: 'green',
	completed: 'green',
	valid: 'green',
	undeliverable: 'red',
	malformed: 'red',
	failed: 'red',
	invalid: 'red',
	risky: 'yellow',
	unknown: 'dim',
	processing: 'yellow',
};

/** Where a command writes: answers to the output, words for a person to the error output. */
export class Terminal {
	/** The width of what `note` writes to, or null: it is no terminal, and no line is drawn twice. */
	readonly columns: number | null;
	readonly #hasColours: boolean;
	readonly #isJson: boolean;
	readonly #isQuiet: boolean;

	constructor({ isJson = false, isQuiet = false } = {}) {
		const { stdout, stderr, env } = process;
		const isDumb = env['TERM'] === 'dumb';
		this.columns = stderr.isTTY && !isDumb ? stderr.columns : null;
		// https://no-color.org
		this.#hasColours = stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && !isDumb;
		[this.#isJson, this.#isQuiet] = [isJson, isQuiet];
	}

	/** Writes an answer: as JSON in one line if that was asked for, and otherwise as the text. */
	async answer(value: object, text: string): Promise<void> {
		return this.write(`${this.#isJson ? json(value) : text}\n`);
	}

	async write(text: string): Promise<void> {
		return new Promise((resolve, reject) => {
			process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
		});
	}

	say(text: string): void {
		process.stderr.write(text);
	}

	/** Progress and summaries, which `--quiet` leaves out. */
	note(text: string): void {
		if (!this.#isQuiet) this.say(text);
	}

	coloured(colour: Colour, text: string): string {
		return this.#hasColours ? `\x1B[${COLOURS[colour]}m${text}\x1B[0m` : text;
	}
}

/** A text from outside for a terminal: what would steer it is spelt out, such as `\x1b`. */
export function visible(text: string): string {
	return text.replaceAll(UNSAFE, (letter) => shortEscapeOf(letter.codePointAt(0) ?? 0));
}

function shortEscapeOf(point: number): string {
	if (point < 0x100) return `\\x${point.toString(16).padStart(2, '0')}`;
	return point < 0x10000 ? `\\u${point.toString(16).padStart(4, '0')}` : `\\u{${point.toString(16)}}`;
}

/** JSON in one line, in ASCII, which no terminal obeys. */
export function json(value: unknown): string {
	return JSON.stringify(value).replaceAll(/[\x7F-\uFFFF]/g, escapeOf);
}

const BAR_MAX = 30;
const BAR_MIN = 8;
// Where no line can be drawn twice, one is written for each of these shares.
const STEP = 0.25;
// The first seconds say little about the rate.
const SETTLED_MS = 2_000;

/** A bar with the share, the rate and the time left. */
export class Progress {
	readonly #terminal: Pick<Terminal, 'columns' | 'note'>;
	readonly #total: number;
	readonly #now: () => number;
	#first: { readonly done: number; readonly at: number } | null = null;
	#step = -1;
	#isDrawn = false;

	constructor(terminal: Pick<Terminal, 'columns' | 'note'>, total: number, now = Date.now) {
		[this.#terminal, this.#total, this.#now] = [terminal, total, now];
	}

	/** Shows how many are done. */
	show(done: number): void {
		const at = this.#now();
		this.#first ??= { done, at };
		const share = this.#total === 0 ? 1 : Math.min(1, done / this.#total);
		// 100 % only when all is done.
		const percent = `${String(Math.floor(share * 100)).padStart(3)} %`;
		const words = `${percent}  ${thousands(done)} of ${thousands(this.#total)}${this.#pace(done, at)}`;
		const { columns } = this.#terminal;
		if (columns === null) {
			const step = Math.floor(share / STEP);
			if (step > this.#step) this.#terminal.note(`${words}\n`);
			this.#step = Math.max(step, this.#step);
			return;
		}
		const room = Math.min(BAR_MAX, columns - words.length - 2);
		const bar = room < BAR_MIN ? '' : `${'█'.repeat(Math.round(share * room)).padEnd(room, '░')} `;
		this.#terminal.note(`\r\x1B[K${(bar + words).slice(0, Math.max(1, columns - 1))}`);
		this.#isDrawn = true;
	}

	/** Leaves the line. */
	end(): void {
		if (this.#isDrawn) this.#terminal.note('\n');
		this.#isDrawn = false;
	}

	#pace(done: number, at: number): string {
		const { done: before, at: since } = this.#first ?? { done, at };
		const seconds = (at - since) / 1000;
		if (at - since < SETTLED_MS || done <= before || done >= this.#total) return '';
		const rate = (done - before) / seconds;
		return `  ${rate < 10 ? rate.toFixed(1) : thousands(Math.round(rate))}/s  ${duration((this.#total - done) / rate)} left`;
	}
}

/** `45 s`, `12 min`, `1 h 05 min` */
export function duration(seconds: number): string {
	if (seconds < 60) return `${Math.ceil(seconds)} s`;
	const minutes = Math.round(seconds / 60);
	return minutes < 60
		? `${minutes} min`
		: `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
