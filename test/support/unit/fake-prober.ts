import type { AddressPolicy } from '../../../src/core/dns/find-mail-exchangers.ts';
import type { Clock, Prober } from '../../../src/engine/ports.ts';
import { answerQuestion } from '../../../src/prober/answer-question.ts';
import { CONNECT_TIMEOUT_MS } from '../../../src/prober/converse.ts';
import { converse } from '../converse.ts';
import type { Conversations, Dialer, StandingMemory } from '../../../src/prober/ports.ts';
import { PUBLIC_ONLY } from './fake-resolver.ts';
import { NO_MEMORY } from './fake-standing.ts';

interface ProberWorld {
	readonly clock: Clock;
	readonly dialer: Dialer;
	readonly standing?: StandingMemory;
	readonly addressPolicy?: AddressPolicy;
}

/** A prober in the test's own process, with a new connection for each conversation. */
export function fakeProber(world: ProberWorld): Prober {
	const { clock, dialer, standing = NO_MEMORY, addressPolicy = PUBLIC_ONLY } = world;
	const ports = {
		clock,
		random: () => 0.5,
		dialer,
		standing,
		addressPolicy,
		conversations: plainConversations(clock, dialer),
	};
	return { ask: (question) => answerQuestion(ports, question) };
}

/** Conversations that dial, converse and hang up, and keep no connections or replies. */
export function plainConversations(clock: Clock, dialer: Dialer): Conversations {
	return {
		hold: async ({ domain, address, host, plan, deadline }) => {
			const limitMs = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now());
			const dialled = await dialer.dial({ domain, address, hostName: host.host }, limitMs);
			if (dialled.kind === 'no_connection') return dialled;
			const { connection, identity, egress } = dialled;
			const report = await converse(clock, connection, { ...plan, ...identity }, deadline);
			return { kind: 'held', report, egress, warm: false, remembered: [] };
		},
	};
}
