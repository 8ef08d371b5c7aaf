import { expect, test } from 'vitest';
import { answerFromWire, questionFromWire } from '../../../src/wire/prober-messages.ts';
import { answer, question } from '../../../src/wire/prober.ts';
import november from '../../fixtures/versions/2026-11-22-prober.json' with { type: 'json' };

// Worker and probers are deployed one after the other: what each said in an earlier version is understood by both. Recorded
// from a prober before the sandbox's mail servers.

const NOW = 1_800_000_000_000;
const EXPECTED: Readonly<Record<string, readonly (readonly string[])[]>> = {
	'inbox.test': [
		['accepted', 'rejected'],
		['rejected', 'rejected'],
	],
	'postscreen.test': [
		['accepted', 'rejected'],
		['rejected', 'rejected'],
	],
	'catch-all.test': [
		['accepted', 'accepted'],
		['accepted', 'accepted'],
	],
	'blocked.test': [
		['unknown', 'no_evidence'],
		['unknown', 'no_evidence'],
	],
	'tarpit.test': [
		['unknown', 'no_evidence'],
		['unknown', 'no_evidence'],
	],
	'full.test': [
		['full', 'rejected'],
		['rejected', 'rejected'],
	],
};

test.each(november.exchanges)('a question about $question.domain and its answer', (recorded) => {
	const asked = questionFromWire(question.parse(recorded.question), NOW);
	expect(asked).toMatchObject({
		domain: recorded.question.domain,
		targets: recorded.question.targets,
		class: 'small',
		asker: 'acc_recorded',
		deadline: NOW + 4_000,
	});
	const said = answerFromWire(answer.parse(recorded.answer), asked, { prober: 'p1', now: NOW });
	const told = said?.answers.map((one) =>
		one?.kind === 'heard'
			? [one.interpretation.target.kind, one.interpretation.invented]
			: [one?.kind ?? 'not asked'],
	);
	expect(told).toEqual(EXPECTED[asked.domain]);
});
