import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import type {
	Conversations,
	ConversationRequest,
	Conversed,
} from '../../../src/engine/conversations-port.ts';
import { probe } from '../../../src/engine/probe.ts';
import type { ProbePorts } from '../../../src/engine/probe.ts';
import type { TargetAnswer } from '../../../src/engine/question.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { NO_MEMORY } from '../../support/unit/fake-standing.ts';
import { addressOf, fakeRandomness, OK } from '../../support/unit/mail-servers.ts';
import { modelDialer } from '../../support/unit/model-server.ts';
import { makeReport } from '../../support/unit/session-report.ts';

type Answer = Conversed | 'unavailable' | Error;

/** A world in which the exchanger says what is given, one answer after the other, and the server says yes. */
function worldWith(...answers: readonly Answer[]) {
	const clock = fakeClock();
	const dialer = modelDialer(clock, { says: () => OK });
	const requests: ConversationRequest[] = [];
	const exchanger: Conversations = {
		hold: async (request) => {
			requests.push(request);
			const answer = answers[requests.length - 1] ?? 'unavailable';
			if (answer instanceof Error) throw answer;
			return answer;
		},
	};
	const ports: ProbePorts = {
		clock,
		dialer,
		resolver: fakeResolver({ mx1: { a: ['8.8.8.1'] } }),
		randomness: fakeRandomness(),
		standing: NO_MEMORY,
		addressPolicy: PUBLIC_ONLY,
		exchangers: { forQuestion: () => (host) => (host === 'mx1' ? exchanger : null) },
	};
	const question = {
		route: { hosts: ['mx1'], implicit: false },
		deep: 'never',
		asksInvented: true,
		asker: 'acc_1',
		deadline: clock.now() + 15_000,
	} as const;
	const alone = async (): Promise<TargetAnswer | null | undefined> =>
		(await probe(ports, { ...question, addresses: [addressOf('ada@x.test')], patient: true }))[0];
	const ofAJob = (): Promise<readonly (TargetAnswer | null)[]> =>
		probe(ports, {
			...question,
			addresses: ['ada@x.test', 'bob@x.test'].map(addressOf),
			patient: false,
		});
	return { alone, ofAJob, requests, dialled: () => dialer.seen.length };
}

const held: Conversed = {
	kind: 'held',
	report: makeReport({ target: '550 5.1.1 no such user', invented: [] }),
	egress: 'direct',
	warm: true,
	remembered: [{ recipient: 'qzx@x.test', reply: { code: 250, enhanced: null, lines: ['ok'] } }],
};

describe('a host of a shared operator', () => {
	test('is asked by its exchanger, and not from here', async () => {
		const { alone, requests, dialled } = worldWith(held);
		expect(await alone()).toMatchObject({
			kind: 'heard',
			interpretation: { target: { kind: 'rejected' }, invented: 'accepted' },
		});
		expect([requests.length, dialled()]).toEqual([1, 0]);
		expect(requests[0]).toMatchObject({ domain: 'x.test', address: '8.8.8.1', isBest: true });
		// It goes to another machine.
		expect(structuredClone(requests[0])).toEqual(requests[0]);
	});

	test.each<[string, Answer]>([
		['went away in the middle of the conversation', 'unavailable'],
		['has no connection to spare', { kind: 'busy' }],
	])('is dialled from here for a single address where its exchanger %s', async (_, answer) => {
		const { alone, dialled } = worldWith(answer);
		expect(await alone()).toMatchObject({ kind: 'heard', interpretation: { target: { kind: 'accepted' } } });
		expect(dialled()).toBe(1);
	});

	test('waits for the next attempt of a job where its exchanger has no connection to spare', async () => {
		const { ofAJob, dialled } = worldWith({ kind: 'busy' });
		const paused = { kind: 'paused', why: 'rate_limited' };
		expect(await ofAJob()).toEqual([paused, paused]);
		expect(dialled()).toBe(0);
	});

	test('is dialled from here for a job where its exchanger went away', async () => {
		const { ofAJob, dialled } = worldWith('unavailable');
		expect((await ofAJob()).map((result) => result?.kind)).toEqual(['heard', 'heard']);
		expect(dialled()).toBe(1);
	});

	test('is left alone where the exchanger was refused a short while ago', async () => {
		const { alone, dialled } = worldWith({ kind: 'paused', why: 'probe_blocked' });
		expect(await alone()).toEqual({ kind: 'paused', why: 'probe_blocked' });
		expect(dialled()).toBe(0);
	});

	test('is out of reach where no egress serves: that is our outage, as from here', async () => {
		const { alone } = worldWith(new ServiceError('upstream_unavailable', 'No outgoing connection'));
		await expect(alone()).rejects.toMatchObject({ code: 'upstream_unavailable' });
	});
});
