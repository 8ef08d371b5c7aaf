import { desc } from 'drizzle-orm';
import type { Mail, Mailer } from '../../operations/people/port.ts';
import type { Clock } from '../../lib/time.ts';
import { InD1 } from '../in-d1.ts';
import { developmentMails } from '../schema.ts';
import type { DevelopmentMail } from '../schema.ts';

const SHOWN_MAX = 50;

/** Keeps mails instead of sending them, on a developer's machine. */
export class D1DevelopmentMailbox extends InD1 implements Mailer {
	readonly #clock: Clock;

	constructor(database: D1Database, clock: Clock) {
		super(database);
		this.#clock = clock;
	}

	requireReady(): void {
		// The table is always ready.
	}

	async send({ to, subject, text }: Mail): Promise<void> {
		await this.db.insert(developmentMails).values({ at: this.#clock.now(), to, subject, text });
	}

	async list(): Promise<readonly DevelopmentMail[]> {
		return this.db.select().from(developmentMails).orderBy(desc(developmentMails.id)).limit(SHOWN_MAX);
	}
}
