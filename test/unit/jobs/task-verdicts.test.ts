import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TaskVerdicts, VerdictRecorder } from '../../../src/core/jobs/task-verdicts.ts';
import { toJudgedRow, toStoredRow } from '../../../src/core/jobs/stored-row.ts';
import { judgement } from '../../../src/core/catchall/breakdown.ts';
import { decidedBy } from '../../../src/core/verification/render.ts';
import { listFacts } from '../../../src/engine/refusal.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

const KNOWN = { subStatus: 'catch_all_unresolved', coverage: 1, isCatchAll: true, rule: null } as const;

const SAYS = {
	valid: 'catch_all_valid',
	invalid: 'catch_all_invalid',
	unknown: 'catch_all_unresolved',
} as const;

test('each row of a job finds the verdict that its task gave, and rows that the task did not check find none', () => {
	const verdict = fc.constantFrom('valid' as const, 'invalid' as const, 'unknown' as const);
	const checked = fc.uniqueArray(fc.nat(200), { maxLength: 60 });
	fc.assert(
		fc.property(
			checked,
			fc.array(fc.tuple(fc.nat(100), verdict), { minLength: 60, maxLength: 60 }),
			(indices, said) => {
				const places = indices.toSorted((a, b) => a - b);
				const recorder = new VerdictRecorder();
				const given = places.map((place) => {
					const [score, word] = said.pop()!;
					const address = addressOf(`user${place}@x.test`);
					const row = toStoredRow(0, address, listFacts(address), decidedBy('smtp', SAYS[word]), 0);
					const { breakdown } = judgement([], { ...KNOWN, score });
					recorder.see(toJudgedRow(row, { score, breakdown }));
					return { score, verdict: word };
				});
				const verdicts = new TaskVerdicts(JSON.stringify(places), recorder.encode());
				for (let index = 0; index <= 201; index += 1)
					expect(verdicts.of(index)).toEqual(given[places.indexOf(index)] ?? null);
			},
		),
		{ numRuns: 60 },
	);
});
