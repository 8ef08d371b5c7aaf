import { describe, expect, test } from 'vitest';
import { Trail } from '../../../src/core/verification/trail.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import type { Asked, Question } from '../../../src/wire/prober.ts';
import type { Finding } from '../../../src/core/verification/finding.ts';
import { askAbout, portsOf } from '../../support/unit/examine-alone.ts';
import type { AskedAbout } from '../../support/unit/examine-alone.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import type { Zone } from '../../support/unit/fake-resolver.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';

// What a prober is asked, and what is made of its answer.

const DEADLINE = 1_800_000_000_000;
const DEAD: Finding = { kind: 'unroutable' };
const nothing = ({ targets }: Question): Asked => ({
	answers: targets.map(() => DEAD),
	evidence: [],
	recipients: 0,
});

async function ask(
	emails: readonly string[],
	zones: Readonly<Record<string, Zone>> = { mx1: { a: ['8.8.8.1'] } },
	{ answer = nothing, ...changes }: Partial<AskedAbout> & { answer?: (question: Question) => Asked } = {},
) {
	const asked: Question[] = [];
	const trail = new Trail(() => 0);
	const prober: ExaminePorts['prober'] = {
		ask: async (question) => {
			asked.push(question);
			return answer(question);
		},
	};
	const ports = portsOf(zones, prober);
	const addresses = emails.map(addressOf);
	const hosts = Object.keys(zones);
	const about = { addresses, hosts, class: 'list', deadline: DEADLINE, trail, ...changes } as const;
	const answers = await askAbout(ports, about);
	return { answers, asked, steps: trail.evidence(), recipients: trail.recipients };
}

describe('a prober is asked', () => {
	test('about one mailbox once, however often it is listed', async () => {
		const { asked, answers } = await ask(['ada@x.test', 'ada@x.test']);
		expect(asked.map(({ targets }) => targets)).toEqual([['ada@x.test']]);
		expect(answers).toEqual([DEAD, DEAD]);
	});

	test('a second question about those whose MAIL differs (RFC 6531 §3.4), and each hears its own answer', async () => {
		const { asked, answers } = await ask(['ada@x.test', 'zoë@x.test', 'bob@x.test'], undefined, {
			answer: ({ needsSmtputf8, targets }) => ({
				answers: targets.map(() => (needsSmtputf8 ? { kind: 'dns_error' } : DEAD)),
				evidence: [],
				recipients: 0,
			}),
		});
		expect(asked.map(({ needsSmtputf8, targets }) => [needsSmtputf8, targets])).toEqual([
			[false, ['ada@x.test', 'bob@x.test']],
			[true, ['zoë@x.test']],
		]);
		expect(answers).toEqual([DEAD, { kind: 'dns_error' }, DEAD]);
	});

	test.each([
		['single', 1, 'single'],
		['single', 2, 'list'],
		['small', 2, 'small'],
		['list', 1, 'list'],
	] as const)('in the class %s about %i: %s', async (given, count, sent) => {
		const emails = ['ada@x.test', 'bob@x.test'].slice(0, count);
		expect((await ask(emails, undefined, { class: given })).asked[0]?.class).toBe(sent);
	});
});

test('the hosts of a question come with the addresses that may be dialled, of the second family where the first has none', async () => {
	const { asked, steps } = await ask(['ada@x.test'], {
		mx1: { a: ['10.0.0.1', '8.8.8.1'] },
		mx2: { a: ['10.0.0.1'], aaaa: ['2001:4860::1', 'fd00::1'] },
		mx3: {},
		mx4: { a: 'timeout' },
	});
	expect(asked[0]?.hosts).toEqual([
		{ name: 'mx1', addresses: ['8.8.8.1'], failed: false },
		{ name: 'mx2', addresses: ['2001:4860::1'], failed: false },
		{ name: 'mx4', addresses: [], failed: true },
	]);
	expect(steps.map(({ text }) => text)).toEqual([
		'10.0.0.1, 8.8.8.1',
		'10.0.0.1; 2001:4860::1, fd00::1',
		'no_data',
		'failed',
	]);
});

describe('of what a prober says', () => {
	test('the steps follow those of the look-up', async () => {
		const wait = { step: 'rule', at: 6_000, rule: 'wait' } as const;
		const { steps, recipients } = await ask(['ada@x.test'], undefined, {
			answer: (question) => ({ ...nothing(question), evidence: [wait], recipients: 3 }),
		});
		expect(steps.slice(1)).toEqual([{ step: 'rule', rule: 'wait', at_ms: 6_000 }]);
		expect(recipients).toBe(3);
	});

	const heardAs = (interpretation: object) => ({ kind: 'heard', interpretation }) as Finding;
	const heard = heardAs({ target: { kind: 'accepted' }, advice: 'final', replyCode: '250' });
	const said = (answers: Asked['answers']): Asked => ({ answers, evidence: [], recipients: 0 });
	const people = Array.from({ length: 50 }, (_, n) => `u${n}@x.test`);

	test('no answer about a mailbox is none, and another question asks about it while there is time', async () => {
		const answer = ({ targets }: Question): Asked =>
			said(targets.map((target, at) => (target === 'u1@x.test' || at > 9 ? null : heard)));
		const { answers, asked } = await ask(people, undefined, { answer });
		expect(answers.map((one) => one !== null)).toEqual(people.map((_, n) => n !== 1));
		expect(asked.map(({ targets, behind }) => [targets[0], targets.length, behind]).slice(0, 3)).toEqual([
			['u0@x.test', 19, 31],
			['u1@x.test', 19, 22],
			['u1@x.test', 19, 13],
		]);
		const late = fakeClock().now() + 9_999;
		expect((await ask(people, undefined, { answer, deadline: late })).asked).toHaveLength(1);
	});

	test('what is about the hosts and no mailbox holds for those that were not asked about', async () => {
		const full = { kind: 'postponed', until: 60_000 } as const;
		const { answers, asked } = await ask(people, undefined, {
			answer: ({ targets, behind = 0 }) => said(targets.map(() => (behind > 20 ? heard : full))),
		});
		expect(asked).toHaveLength(2);
		expect(answers).toEqual([...people.slice(0, 19).map(() => heard), ...people.slice(19).map(() => full)]);
	});

	test.each([
		['silence', { target: { kind: 'unknown', why: 'timeout' }, advice: 'final', replyCode: null }],
		['a block', { target: { kind: 'unknown', why: 'probe_blocked' }, advice: 'final', replyCode: '554' }],
		['a limit', { target: { kind: 'unknown', why: 'rate_limited' }, advice: 'final', replyCode: '421' }],
		[
			'a greeting that sends us away',
			{ target: { kind: 'unknown', why: 'unavailable_smtp' }, advice: 'next_host', replyCode: '450' },
		],
	])('%s towards all of a question holds for the others, and is not asked for again', async (_, reading) => {
		const same = heardAs(reading);
		const { answers, asked } = await ask(people, undefined, {
			answer: ({ targets }) => said(targets.map(() => same)),
		});
		expect(asked).toHaveLength(1);
		expect(answers).toEqual(people.map(() => same));
		const one = await ask(people, undefined, {
			answer: ({ targets }) => said(targets.map((_target, at) => (at === 0 ? heard : same))),
		});
		expect(one.asked).toHaveLength(3);
	});

	test.each([
		['greylisted', '450 4.7.1'],
		// A fault of ours, such as an answer that does not fit the wire.
		['unexpected_error', null],
	])('%s mailboxes are no answer about the others', async (why, replyCode) => {
		const reading = { target: { kind: 'unknown', why }, advice: 'ask_again_soon', replyCode };
		const { asked } = await ask(people, undefined, {
			answer: ({ targets }) => said(targets.map(() => heardAs(reading))),
		});
		expect(asked).toHaveLength(3);
	});

	test('what was answered before an outage of ours counts', async () => {
		const { answers } = await ask(people, undefined, {
			answer: ({ targets, behind = 0 }) => {
				if (behind < 20) throw new ServiceError('upstream_unavailable', 'away');
				return said(targets.map(() => heard));
			},
		});
		expect(answers).toEqual(people.map((_, n) => (n < 19 ? heard : null)));
	});
});
