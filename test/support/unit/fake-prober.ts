import type { AddressPolicy } from '../../../src/core/dns/find-mail-exchangers.ts';
import { mailHostOf } from '../../../src/core/turns/mail-host.ts';
import type { Clock, Prober } from '../../../src/engine/ports.ts';
import { answerQuestion } from '../../../src/prober/answer-question.ts';
import { CONNECT_TIMEOUT_MS } from '../../../src/prober/converse.ts';
import type { Conversations, Dialer } from '../../../src/prober/ports.ts';
import { converse } from '../converse.ts';
import { dialOver } from '../dial-over.ts';
import { PUBLIC_ONLY } from './fake-resolver.ts';

interface ProberWorld {
	readonly clock: Clock;
	readonly dialer: Dialer;
	/** Instead of a new connection for each. */
	readonly conversations?: Partial<Conversations>;
	readonly addressPolicy?: AddressPolicy;
}

/** A prober in the test's own process, with a new connection for each conversation. */
export function fakeProber({
	clock,
	dialer,
	conversations,
	addressPolicy = PUBLIC_ONLY,
}: ProberWorld): Prober {
	const ports = {
		clock,
		addressPolicy,
		conversations: { ...plainConversations(clock, dialer), ...conversations },
	};
	return { ask: (question) => answerQuestion(ports, question) };
}

/** Conversations that dial, converse and hang up, and keep no connections or replies. */
export function plainConversations(clock: Clock, dialer: Dialer): Conversations {
	return {
		hostFor: (name, operator, { domain }) => mailHostOf(name, operator, dialer.egressesFor(domain)[0]),
		sideBySide: (_, { targets }) => [targets],
		hold: async ({ domain, address, host, plan, deadline }) => {
			const limitMs = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now());
			const dialled = await dialOver(dialer, { domain, address, hostName: host.host }, limitMs);
			if (dialled.kind === 'no_connection') return dialled;
			const { connection, identity, egress } = dialled;
			const report = await converse(clock, connection, { ...plan, ...identity }, deadline);
			return { kind: 'held', report, egress, warm: false, remembered: [] };
		},
	};
}
