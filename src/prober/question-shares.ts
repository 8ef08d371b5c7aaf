import type { Asker } from '../core/politeness/mail-host.ts';
import { questionsMax, shareName } from '../core/politeness/shares.ts';
import type { QuestionClass } from '../engine/question.ts';

/** Counts the questions that each asker has under way. */
export class QuestionShares {
	readonly #running = new Map<string, number>();

	/** Null: the asker has its share already. Else to be called when the question is answered. */
	enter({ asker, class: urgency }: { asker: Asker; class: QuestionClass }): (() => void) | null {
		const urgent = urgency === 'single';
		const name = shareName(asker, urgent);
		const running = this.#running.get(name) ?? 0;
		if (running >= questionsMax(asker, urgent)) return null;
		this.#running.set(name, running + 1);
		return () => {
			const left = (this.#running.get(name) ?? 1) - 1;
			if (left === 0) this.#running.delete(name);
			else this.#running.set(name, left);
		};
	}
}
