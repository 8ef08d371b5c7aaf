import { describe, expect, test } from 'vitest';
import type { Asked, Question } from '../../../src/wire/prober.ts';
import type { Finding } from '../../../src/core/verification/finding.ts';
import type { RecipientReply } from '../../../src/core/smtp/session.ts';
import { readSession } from '../../../src/core/verification/interpret-session.ts';
import { ask as askHosts } from '../../../src/prober/ask.ts';
import type { ConversationRequest, Conversed } from '../../../src/prober/conversation.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { makeQuestion } from '../../support/unit/question.ts';
import { makeReport } from '../../support/unit/session-report.ts';

// What becomes of a question by what the connections bring.

/** Asks about these, where the conversations bring what is given, one after the other. */
async function ask(
	targets: readonly string[],
	brought: readonly Conversed[],
	changes: Partial<Question> = {},
): Promise<{ asked: Asked; requests: readonly ConversationRequest[] }> {
	const clock = fakeClock();
	const requests: ConversationRequest[] = [];
	const ports = {
		clock,
		addressPolicy: PUBLIC_ONLY,
		conversations: {
			hold: async (request: ConversationRequest): Promise<Conversed> => {
				const next = brought[requests.push(request) - 1];
				if (next === undefined) throw new Error('asked once too often');
				return next;
			},
		},
	};
	const hosts = [{ name: 'mx1', addresses: ['8.8.8.1', '8.8.8.2'], failed: false }];
	const question = { hosts, targets, class: 'list', explain: true, deadline: clock.now() + 15_000 } as const;
	return { asked: await askHosts(ports, makeQuestion({ ...question, ...changes })), requests };
}

const ADA = ['ada@x.test'];
const REMEMBERED = [{ recipient: 'qzx@x.test', reply: { code: 250, enhanced: null, lines: ['ok'] } }];
/** @param known what the host said to invented recipients in an earlier conversation */
const held = (target: string, known: readonly RecipientReply[] = [], warm = false): Conversed => {
	const report = makeReport({ target, invented: [] });
	return { kind: 'held', report, reading: readSession(report, null, known), egress: 'direct', warm };
};
const NO_SUCH_USER = '550 5.1.1 no such user';

describe('a host', () => {
	test('is believed what it said to invented recipients in an earlier conversation', async () => {
		const { asked } = await ask(ADA, [held(NO_SUCH_USER, REMEMBERED, true)]);
		expect(asked.answers).toMatchObject([
			{ kind: 'heard', interpretation: { target: { kind: 'rejected' }, invented: 'accepted' } },
		]);
		expect(asked.answers).toMatchObject([{ readings: ['accepted'] }]);
		expect(asked.evidence[0]?.text).toBe('8.8.8.1: connected before');
	});

	test.each<[string, Conversed, Finding]>([
		['we have no capacity for', { kind: 'busy', until: 60_000 }, { kind: 'postponed', until: 60_000 }],
		[
			'refused us a short while ago',
			{ kind: 'paused', why: 'probe_blocked', until: 60_000 },
			{ kind: 'paused', why: 'probe_blocked' },
		],
	])('that %s is left alone, at its other address too', async (_, brought, answer) => {
		const targets = [...ADA, 'bob@x.test'];
		for (const urgency of ['single', 'list'] as const) {
			const { asked, requests } = await ask(targets, [brought], { class: urgency });
			expect(asked.answers).toEqual(targets.map(() => answer));
			expect(requests).toHaveLength(1);
		}
	});
});

// The addresses of a question are checked as if nobody had, and no name is looked up again: a zone which answers otherwise
// a second later leads nowhere. Which places are private: test/unit/lib/ip-address.test.ts.
test.each(['10.0.0.1', '169.254.169.254', 'fd00:ec2::254', '::ffff:8.8.8.8', '0177.0.0.1', 'mx.x.test', ''])(
	'a prober connects to the addresses that were checked, and to no place but the public Internet: not to %j',
	async (address) => {
		const at = async (...hosts: readonly (readonly string[])[]) => {
			const list = hosts.map((addresses, n) => ({ name: `mx${n}`, addresses, failed: false }));
			const away = { kind: 'no_connection', why: 'refused' } as const;
			const { requests } = await ask(ADA, [away, held(NO_SUCH_USER)], { hosts: list });
			return requests.map((request) => request.address);
		};
		expect(await at([address])).toEqual([]);
		expect(await at([address, '8.8.8.7'], ['8.8.8.1'])).toEqual(['8.8.8.7', '8.8.8.1']);
		expect(await at(['8.8.8.7'], [address], ['8.8.8.1'])).toEqual(['8.8.8.7', '8.8.8.1']);
	},
);
