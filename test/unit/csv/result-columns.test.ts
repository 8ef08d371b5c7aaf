import { expect, test } from 'vitest';
import {
	NO_CELLS,
	RESULT_COLUMNS,
	malformedCells,
	namesBeside,
	padded,
	resultCells,
} from '../../../src/core/csv/result-columns.ts';
import { renderResult, decidedBy } from '../../../src/core/verification/render.ts';
import { NO_FACTS } from '../../support/unit/listed-rows.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

test('each column holds what the API calls by that name', () => {
	const outcome = { ...decidedBy('smtp', 'rejected_email'), mxRecord: 'mx.x.test', replyCode: '550 5.1.1' };
	const result = renderResult(addressOf('info@x.test'), { ...NO_FACTS, roleAccount: true }, outcome, 0);
	const { general, attributes, mail_server: server } = result.details;
	const named = { ...result, ...result.details, ...general, ...attributes, ...server };
	const fields = { ...named, score: result.deliverability_score } as Readonly<Record<string, unknown>>;
	expect(resultCells(result)).toEqual(RESULT_COLUMNS.map((name) => fields[name] ?? null));
});

test('every kind of row is as wide as our columns', () => {
	expect(malformedCells('no_at_sign', 'The address has no @')).toHaveLength(RESULT_COLUMNS.length);
	expect(malformedCells('no_at_sign', 'why').slice(0, 6)).toEqual([
		'malformed',
		'no_at_sign',
		null,
		null,
		'why',
		null,
	]);
	expect(NO_CELLS).toEqual(RESULT_COLUMNS.map(() => null));
	expect(padded(['a'], 3)).toEqual(['a', null, null]);
	expect(padded(['a', 'b'], 1)).toEqual(['a', 'b']);
});

test("our columns never repeat the name of one of the customer's, not even of our own from last time", () => {
	expect(namesBeside(['Name'])).toEqual(RESULT_COLUMNS);
	expect(namesBeside(['Email', ' Status '])[0]).toBe('mailsonar_status');
	const twice = ['email', ...RESULT_COLUMNS, ...namesBeside(['email', ...RESULT_COLUMNS])];
	const thrice = namesBeside(twice);
	expect(thrice[0]).toBe('mailsonar_status_2');
	expect(new Set([...twice, ...thrice]).size).toBe(1 + 3 * RESULT_COLUMNS.length);
});
