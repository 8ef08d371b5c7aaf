import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINES_MAX, LINES_PER_HOST_MAX, nextStep, overdueLines } from '../../../src/core/exchanger/lines.ts';
import type { Line } from '../../../src/core/exchanger/lines.ts';
import type { SessionReport } from '../../../src/core/smtp/session.ts';
import { IDLE_MS } from '../../../src/core/exchanger/linger.ts';
import {
	asIfConfirmed,
	isEnough,
	keptForMs,
	shortened,
} from '../../../src/core/exchanger/remembered-invented.ts';
import { exchangerFor } from '../../../src/core/exchanger/shared-hosts.ts';
import type { SharedHosts } from '../../../src/core/exchanger/shared-hosts.ts';

/** `a` is a busy line to host a, `a5` one that is idle since 5. */
const lines = (...words: string[]): Line[] =>
	words.map((word, at) => ({
		id: at + 1,
		to: word.slice(0, 1),
		idleSince: word.length > 1 ? Number(word.slice(1)) : null,
	}));

function wordsOf(step: ReturnType<typeof nextStep>): string {
	if (step.kind === 'use') return `use ${step.id}`;
	return step.kind === 'open' && step.closing !== null ? `open, closing ${step.closing}` : step.kind;
}

describe('whoever comes next', () => {
	test.each<[string, readonly Line[], string]>([
		['opens the first connection', [], 'open'],
		['takes an idle one to the same host', lines('a5'), 'use 1'],
		['takes the one used last, so that the other can end', lines('a5', 'a9', 'a7'), 'use 2'],
		['opens another where one is busy', lines('a'), 'open'],
		['waits where the host has its share', lines('a', 'a'), 'wait'],
		['does not take what leads elsewhere', lines('b5', 'b6'), 'open'],
		['makes room where all are kept for others', lines('b9', 'b5', 'c', 'd', 'e7'), 'open, closing 2'],
		['waits where all are in use', lines('b', 'b', 'c', 'c', 'd'), 'wait'],
	])('%s', (_, held, wanted) => {
		const step = nextStep(held, 'a', false);
		expect(wordsOf(step)).toBe(wanted);
	});

	test.each<[string, readonly Line[], string]>([
		['opens one beside an idle one', lines('a5'), 'open'],
		['replaces an idle one where the host has its share', lines('a', 'a5'), 'open, closing 2'],
		['waits where both are in use', lines('a', 'a'), 'wait'],
	])('with use for a new connection only %s', (_, held, wanted) => {
		const step = nextStep(held, 'a', true);
		expect(wordsOf(step)).toBe(wanted);
	});

	test('never passes a limit, and never waits for a place that is free', () => {
		const word = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.option(fc.nat(20))).map(([to, since]) => ({
			to,
			since,
		}));
		fc.assert(
			fc.property(fc.array(word, { maxLength: LINES_MAX }), fc.boolean(), (held, fresh) => {
				const all = held.map(({ to, since }, at) => ({ id: at, to, idleSince: since }));
				fc.pre(all.filter(({ to }) => to === 'a').length <= LINES_PER_HOST_MAX);
				const step = nextStep(all, 'a', fresh);
				const here = all.filter(({ to }) => to === 'a');
				if (step.kind === 'open') {
					const rest = all.filter(({ id }) => id !== step.closing);
					expect(rest.length).toBeLessThan(LINES_MAX);
					expect(rest.filter(({ to }) => to === 'a').length).toBeLessThan(LINES_PER_HOST_MAX);
					expect(all.find(({ id }) => id === step.closing)?.idleSince).not.toBeNull();
				}
				if (step.kind === 'wait') {
					const full = here.length === LINES_PER_HOST_MAX ? here : all;
					expect(full.every(({ idleSince }) => idleSince === null)).toBe(true);
				}
			}),
		);
	});
});

test.each([
	[1, 0, IDLE_MS - 1, []],
	[1, 0, IDLE_MS, [1]],
	[0, 0, 699, []],
	[0, 0, 700, [1, 3]],
])(
	'with %i questions and silence since %i, after %i ms connections %j are closed',
	(asking, quiet, now, ids) => {
		const linger = { savedMs: 700, asking, quietSince: quiet };
		expect(overdueLines(lines('a0', 'a', 'a5'), linger, now)).toEqual(ids);
	},
);

describe('what a domain said to invented recipients', () => {
	test.each([
		['accepted', 7],
		['rejected', 1],
		['mixed', 0],
		['no_evidence', 0],
	] as const)('(%s) is believed for %i days', (finding, days) => {
		expect(keptForMs(finding)).toBe(days * 86_400_000);
	});

	test.each([
		['a job is content with either', [], 'never', ['accepted', 'rejected']],
		['a single call asks a catch-all again, whose words it compares', ['r2'], 'catch_all', ['rejected']],
		['a task asks all again', ['r2'], 'always', []],
	] as const)('%s', (_, furtherInvented, deep, enough) => {
		const findings = ['accepted', 'rejected', 'mixed', 'no_evidence'] as const;
		expect(findings.filter((one) => isEnough(one, { furtherInvented, deep }))).toEqual(enough);
	});

	const replyOf = (code: number | null) =>
		code === null ? null : { code, enhanced: null, lines: [String(code)] };

	test.each([
		['taken by everybody: all count', 250, [250, 250, 250], 'catch_all', [250, 250, 250]],
		['no yes to the target: only the first counts', 550, [250, 452, null], 'catch_all', [250]],
		['no yes to the target, though all were taken', 550, [250, 250, 250], 'catch_all', [250]],
		['no answer to the last', 250, [250, 250, null], 'catch_all', [250, 250]],
		['no answer to the first', 250, [null, 250, 250], 'catch_all', [null]],
		['no catch-all any more', 250, [550, 550, 550], 'catch_all', [550]],
		['no catch-all any more, and a task doubts it', 250, [550, 550, 250], 'always', [550, 550, 250]],
	] as const)(
		'asked at once counts as asked one after the other: %s',
		(_, target, invented, deep, counted) => {
			const answers = invented.map((code, at) => ({ recipient: `r${at}@x.test`, reply: replyOf(code) }));
			const targets = [{ recipient: 'ada@x.test', reply: replyOf(target) }];
			const report = { targets, invented: answers } as unknown as SessionReport;
			const { invented: kept } = asIfConfirmed(report, { invented: ['r0@x.test'], deep });
			expect(kept.map(({ reply }) => reply?.code ?? null)).toEqual(counted);
		},
	);

	test('is kept short', () => {
		const reply = {
			code: 550,
			enhanced: '5.1.1',
			lines: Array.from({ length: 100 }, () => 'x'.repeat(4000)),
		};
		const [kept] = shortened([{ recipient: 'r@x.test', reply }]);
		expect(kept?.reply).toMatchObject({ code: 550, enhanced: '5.1.1' });
		expect(JSON.stringify(kept).length).toBeLessThan(1000);
	});
});

describe('which exchanger asks a host', () => {
	const USUAL: SharedHosts = { kind: 'usual_and', names: [] };

	test.each<[SharedHosts, string, string | null]>([
		[USUAL, 'mx.zoho.com', 'zoho'],
		[USUAL, 'mxa-0050be01.gslb.pphosted.com', 'proofpoint 3'],
		[USUAL, 'eu-smtp-inbound-1.mimecast.com', 'mimecast'],
		[USUAL, 'smtp.secureserver.net', 'godaddy'],
		[USUAL, 'mx.udag.de', null],
		[USUAL, 'mx.acme.test', null],
		[{ kind: 'none' }, 'mx.zoho.com', null],
		[{ kind: 'all' }, 'mx.acme.test', 'host mx.acme.test'],
		[{ kind: 'all' }, 'mx.zoho.com', 'zoho'],
		[{ kind: 'usual_and', names: ['united_domains'] }, 'mx.udag.de', 'united_domains'],
		[{ kind: 'usual_and', names: ['acme.test'] }, 'mx.acme.test', 'host mx.acme.test'],
		[{ kind: 'usual_and', names: ['acme.test'] }, 'mx.notacme.test', null],
	])('%j, %s: %s', (shared, host, name) => {
		expect(exchangerFor(shared, host, false, 'x.test')).toBe(name);
	});

	test('a domain that is its own mail host belongs to no operator', () => {
		expect(exchangerFor(USUAL, 'google.com', true, 'google.com')).toBeNull();
	});

	test('the largest operators are cut by domain, always alike and into about even parts', () => {
		const names = Array.from({ length: 3200 }, (_, at) =>
			exchangerFor(USUAL, 'aspmx.l.google.com', false, `company-${at}.test`),
		);
		const sizes = [...Map.groupBy(names, (name) => name).values()].map(({ length }) => length);
		expect(sizes).toHaveLength(16);
		expect(Math.max(...sizes)).toBeLessThan(2 * Math.min(...sizes));
	});
});
