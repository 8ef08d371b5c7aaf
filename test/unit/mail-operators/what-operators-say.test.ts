import { describe, expect, test } from 'vitest';
import { findMailOperator, OPERATORS } from '../../../src/core/mail-operators/operators.ts';
import type { OperatorRow } from '../../../src/core/mail-operators/operator-row.ts';
import { operatorRows } from '../../../tools/docs/operator-rows.ts';
import { decide } from '../../../src/core/verification/decide.ts';
import { interpretSession } from '../../../src/core/verification/interpret-session.ts';
import { makeReport } from '../../support/unit/session-report.ts';

const OK = '250 2.1.5 ok';

/** The sub_status of an address at the mail host, from the replies to it and to an invented recipient. */
function decidedAt(host: string, target: string, invented: string | null): string {
	const operator = findMailOperator([host]);
	const report = makeReport({ target, invented: [invented] });
	const interpretation = interpretSession(report, operator?.operator ?? null);
	const decision = decide({ interpretation, viaBackup: false, operator }, false);
	return decision?.subStatus ?? 'deep_check';
}

describe('docomo and au refuse a filtered stranger in the words for a missing mailbox', () => {
	test.each([
		['mfsmax.docomo.ne.jp', '550 Unknown user ada@x.test'],
		['mfsmax.docomo.ne.jp', '550 5.1.1 User unknown'],
		['lsean.ezweb.ne.jp', '550 <ada@x.test>: User unknown'],
		['msmx.au.com', '550 <ada@x.test>: User unknown'],
	])('%s: %s says nothing about the mailbox', (host, reply) => {
		expect(decidedAt(host, reply, '550 Unknown user')).toBe('filtered_or_missing');
		expect(decidedAt(host, reply, OK)).toBe('filtered_or_missing');
		expect(decidedAt(host, reply, null)).toBe('filtered_or_missing');
	});

	test.each(['mx.softbank.ne.jp', 'mx1.comcast.net', 'mail.acme.example'])(
		'the same words from %s are about the mailbox',
		(host) => {
			expect(decidedAt(host, '550 Unknown user ada@x.test', '550 Unknown user')).toBe('rejected_email');
		},
	);

	test('what they accept while they refuse an invented recipient is a mailbox', () => {
		expect(decidedAt('mfsmax.docomo.ne.jp', OK, '550 Unknown user')).toBe('accepted_email');
	});

	test('docomo calls a full mailbox too much mail data; from others it is about the message', () => {
		const reply = '552 Too much mail data';
		expect(decidedAt('mfsmax.docomo.ne.jp', reply, '550 Unknown user')).toBe('mailbox_full');
		expect(decidedAt('mail.acme.example', reply, '550 Unknown user')).not.toBe('mailbox_full');
	});
});

describe('an operator with mailboxes at its own domains only', () => {
	test.each(['mx1.comcast.net', 'smtp-in.orange.fr', 'mfsmax.docomo.ne.jp'])(
		'%s proves nothing by an acceptance from the moment when it accepts invented recipients',
		(host) => {
			expect(decidedAt(host, OK, '550 5.1.1 Not our Customer')).toBe('accepted_email');
			expect(decidedAt(host, OK, OK)).toBe('accepts_everything');
		},
	);

	test('a gateway in front of it, or a backup behind another host, is judged by itself', () => {
		const mixed = findMailOperator(['mail.acme.example', 'mx1.comcast.net']);
		expect([mixed?.operator, mixed?.ownDomainsOnly]).toEqual(['comcast', false]);
	});
});

test('every row names the public place of what it claims, and the day on which it was read', () => {
	for (const [name, row] of Object.entries<OperatorRow>(OPERATORS)) {
		expect(row.source, name).toMatch(/\S{3}/u);
		expect(row.date, name).toMatch(/^20\d\d-\d\d-\d\d$/u);
		expect(row.source, name).not.toMatch(/common knowledge/u);
	}
});

test('the page about operators marks a claim that no public source makes', () => {
	const said = new Map(operatorRows().map(([name = '', recipients]) => [name, recipients]));
	expect([said.get('Fastmail'), said.get('Zoho'), said.get('BIGLOBE')]).toEqual([
		'checks, unconfirmed',
		'checks',
		'not known',
	]);
});
