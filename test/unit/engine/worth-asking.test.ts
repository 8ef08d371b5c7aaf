import { expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import { isWorthAsking } from '../../../src/engine/verdict.ts';

test.each([
	['never', false],
	['catch_all', false],
	['always', true],
] as const)('who says yes to everybody is asked for a task only: %s', (deep, expected) => {
	expect(isWorthAsking(findMailOperator(['mta5.am0.yahoodns.net']), deep)).toBe(expected);
	expect(isWorthAsking(findMailOperator(['emx.mail.ru']), deep)).toBe(expected);
	expect(isWorthAsking(findMailOperator(['aspmx.l.google.com']), deep)).toBe(true);
	expect(isWorthAsking(null, deep)).toBe(true);
});
