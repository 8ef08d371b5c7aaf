const CONNECTIONS_MAX = 500;
const LINES_MAX = 300;
const LINE_LENGTH_MAX = 300;

/** One SMTP connection as it was spoken: `>` the server says, `<` the client says. */
export interface Transcript {
	/** The name of the mail host. */
	readonly host: string;
	readonly lines: string[];
	/** Who ended it; null while it lasts. */
	endedBy: 'client' | 'server' | null;
}

/** The latest conversations of all servers, oldest first. Bounded in every direction. */
export class TranscriptLog {
	#transcripts: Transcript[] = [];

	get all(): readonly Transcript[] {
		return this.#transcripts;
	}

	open(host: string): Transcript {
		const transcript: Transcript = { host, lines: [], endedBy: null };
		this.#transcripts.push(transcript);
		if (this.#transcripts.length > CONNECTIONS_MAX) this.#transcripts.shift();
		return transcript;
	}

	clear(): void {
		this.#transcripts = [];
	}
}

/** Writes down what was said. */
export function note(transcript: Transcript, speaker: '>' | '<', text: string): void {
	for (const line of text.split('\n')) {
		if (transcript.lines.length >= LINES_MAX) return;
		transcript.lines.push(`${speaker} ${line.slice(0, LINE_LENGTH_MAX)}`);
	}
}
