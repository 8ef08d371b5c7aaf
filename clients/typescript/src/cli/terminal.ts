/** Where a command writes, and what it knows of the terminal. Tests bring their own. */
export interface Terminal {
	/** Answers: text as it is. */
	write(text: string): Promise<void>;
	/** Words for a person, beside the answers. */
	say(text: string): void;
	/** The width of what `say` writes to, or null: it is no terminal, and no line is drawn twice. */
	readonly columns: number | null;
	/** Whether answers are shown in colours. */
	readonly hasColours: boolean;
}

const COLOURS = { green: 32, red: 31, yellow: 33, dim: 2 } as const;
export type Colour = keyof typeof COLOURS;

export function coloured({ hasColours }: Pick<Terminal, 'hasColours'>, colour: Colour, text: string): string {
	return hasColours ? `\x1B[${COLOURS[colour]}m${text}\x1B[0m` : text;
}

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

/** The process's own terminal. */
export function systemTerminal(): Terminal {
	const { stdout, stderr, env } = process;
	// https://no-color.org
	const hasColours = stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
	return {
		write: async (text) =>
			new Promise((resolve, reject) => {
				stdout.write(text, (error) => (error ? reject(error) : resolve()));
			}),
		say: (text) => void stderr.write(text),
		columns: stderr.isTTY && env['TERM'] !== 'dumb' ? stderr.columns : null,
		hasColours,
	};
}
