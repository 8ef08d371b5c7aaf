import { expect, test } from 'vitest';
import { progressAfter } from '../../../src/core/verification/trace.ts';
import type { TraceEvent } from '../../../src/core/verification/trace.ts';
import { reportProgress } from '../../../src/operations/verify/verify-for-owner.ts';

const route: TraceEvent = {
	step: 'route',
	route: { kind: 'hosts', hosts: ['mx1.x.test', 'mx2.x.test'], implicit: false },
	operator: null,
};

/** The end of a conversation; null: without a reply. */
function conversation(replyCode: string | null): TraceEvent {
	const heard = { host: 'mx2.x.test', replied: replyCode !== null };
	return { step: 'asked', heard, evidence: [], recipients: 2 };
}

test.each<[string, TraceEvent, ReturnType<typeof progressAfter>]>([
	['a route to hosts: the best of them is asked', route, { at: 'server', host: 'mx1.x.test' }],
	[
		'a route to none: the answer follows, and nobody is asked',
		{ step: 'route', route: { kind: 'null_mx' }, operator: null },
		null,
	],
	['a reply', conversation('250'), { at: 'mailbox', host: 'mx2.x.test', replied: true }],
	['silence', conversation(null), { at: 'mailbox', host: 'mx2.x.test', replied: false }],
	['no conversation', { step: 'asked', evidence: [], recipients: 0 }, null],
	['the decision', { step: 'decision', subStatus: 'accepted_email' }, null],
])('how far a verification is after %s', (_, event, progress) => {
	expect(progressAfter(event)).toEqual(progress);
});

test('while a step is being reported, only the latest of the others is kept', async () => {
	const told: string[] = [];
	const gate = Promise.withResolvers<void>();
	const trace = reportProgress(
		{
			noteProgress: async ({ id, progress }) => {
				told.push(`${id} ${progress.at}`);
				await gate.promise;
			},
		},
		'ver_1',
	);
	trace(route);
	trace(conversation(null));
	trace(route);
	trace(conversation('250'));
	expect(told).toEqual(['ver_1 server']);
	gate.resolve();
	await expect.poll(() => told).toEqual(['ver_1 server', 'ver_1 mailbox']);
});

test('a step that could not be reported is no loss: the next one is', async () => {
	const told: string[] = [];
	let isOut = true;
	const trace = reportProgress(
		{
			noteProgress: ({ progress }) => {
				if (isOut) return Promise.reject(new Error('the account is out'));
				told.push(progress.at);
				return Promise.resolve();
			},
		},
		'ver_1',
	);
	trace(route);
	// Told in the turns of the loop that follow.
	for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
	isOut = false;
	trace(conversation('250'));
	await expect.poll(() => told).toEqual(['mailbox']);
});
