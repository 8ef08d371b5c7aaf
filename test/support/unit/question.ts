import type { Question } from '../../../src/wire/prober.ts';

/** A caller's question about ada@x.test and one invented recipient. */
export function makeQuestion(changes: Partial<Question> & Pick<Question, 'deadline'>): Question {
	return {
		domain: 'x.test',
		hosts: [{ name: 'mx.x.test', addresses: ['8.8.8.1'], failed: false }],
		implicit: false,
		targets: ['ada@x.test'],
		needsSmtputf8: false,
		invented: { first: 'qzx@x.test', further: [] },
		deep: 'never',
		fresh: false,
		asker: 'acc_1',
		class: 'single',
		...changes,
	};
}
