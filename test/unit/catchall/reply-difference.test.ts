import { describe, expect, test } from 'vitest';
import { differenceOf } from '../../../src/core/catchall/reply-difference.ts';
import { wordsOfControl } from '../../support/unit/catch-all-evidence.ts';
import { makeReport, wordsIn } from '../../support/unit/session-report.ts';

const OK = '250 2.1.5 ok';
const KNOWN = '250 2.1.5 local recipient ok';

function compare(target: string, invented: readonly string[], control?: string) {
	const first = control === undefined ? null : wordsOfControl(control);
	return differenceOf(wordsIn(makeReport({ target, invented })), first);
}

test.each<[string, string, readonly string[], string | undefined, ReturnType<typeof differenceOf>]>([
	['where three strangers heard the same', KNOWN, [OK, OK, OK], OK, 'differs'],
	['where two did', KNOWN, [OK, OK], OK, 'differs'],
	['in the status', '250 2.1.5 ok', ['250 2.1.0 ok', '250 2.1.0 ok'], '250 2.1.0 ok', 'differs'],
	['in the code', '250 ok', ['251 ok', '251 ok'], '251 ok', 'differs'],
	['not where one stranger was asked', KNOWN, [OK], OK, null],
	['not where nobody was', KNOWN, [], OK, null],
	['not where strangers differ among themselves', KNOWN, [OK, OK, KNOWN], OK, null],
	['not where a stranger was refused', KNOWN, [OK, OK, '550 5.1.1 no'], OK, null],
	['not where strangers were not looked up (252)', KNOWN, ['252 ok', '252 ok'], '252 ok', null],
	['not where the target was not', '252 ok', [OK, OK], OK, null],
	['not yet, where nobody looked at the order', KNOWN, [OK, OK, OK], undefined, 'uncontrolled'],
	['not where the control was refused', KNOWN, [OK, OK, OK], '550 5.1.1 no', 'uncontrolled'],
	['not where whoever is first hears other words', KNOWN, [OK, OK, OK], KNOWN, 'by_position'],
])('a difference in the words counts %s', (_, target, invented, control, difference) => {
	expect(compare(target, invented, control)).toBe(difference);
});

describe('the same but for', () => {
	const gsmtp = ['250 2.1.5 OK e1-7si2.0 - gsmtp', '250 2.1.5 OK f3 - gsmtp'];
	const named = '250 <ada@x.test> ok';
	test.each<[string, string, readonly string[]]>([
		['the address', '250 ada@x.test... ok', ['250 QZX0@X.test... ok', '250 qzx1@x.test... ok']],
		// Sendmail, where a table leads both to one mailbox.
		['the address of the recipient before it', named, [named, named]],
		['the local part', '250 2.1.5 ada ok', ['250 2.1.5 qzx0 ok', '250 2.1.5 qzx1 ok']],
		['an id', '250 2.1.5 OK d9-2si1.4 - gsmtp', gsmtp],
		['a count', '250 recipient 1 of 100', ['250 recipient 2 of 100', '250 recipient 3 of 100']],
	])('%s', (_, target, invented) => {
		expect(compare(target, invented, OK)).toBe('same');
	});

	test('the name of a mailbox that is a word of the server', () => {
		const report = makeReport({ target: '250 ok', invented: ['250 ok', '250 ok'] });
		const targets = report.targets.map((target) => ({ ...target, recipient: 'ok@x.test' }));
		expect(differenceOf(wordsIn({ ...report, targets }), null)).toBe('same');
	});
});
