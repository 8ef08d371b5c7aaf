import type { RecipientReply } from '../../../src/core/smtp/session.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { ask as askHosts } from '../../../src/prober/ask.ts';
import { CONNECT_TIMEOUT_MS, planFor } from '../../../src/prober/conversation.ts';
import type { Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import type { Conversations } from '../../../src/prober/turns/turns.ts';
import { converse } from '../converse.ts';
import { dialOver } from '../dial-over.ts';
import { PUBLIC_ONLY } from './fake-resolver.ts';

/** A prober in the test's own process, with a new connection for each conversation. */
export function fakeProber({
	clock,
	dialer,
}: {
	readonly clock: Clock;
	readonly dialer: Dialer;
}): ExaminePorts['prober'] {
	const known = new Map<string, readonly RecipientReply[]>();
	const memory = {
		find: (domain: string) => known.get(domain) ?? null,
		keep: (domain: string, replies: readonly RecipientReply[]) => void known.set(domain, replies),
	};
	const hold: Conversations['hold'] = async (request) => {
		const { domain, address, hostName, deadline } = request;
		const { plan, finish } = planFor({ clock, memory }, request);
		const limitMs = Math.min(CONNECT_TIMEOUT_MS, deadline - clock.now());
		const dialled = await dialOver(dialer, { domain, address, hostName }, limitMs);
		if (dialled.kind === 'no_connection') return dialled;
		const { connection, identity, egress } = dialled;
		const report = await converse(clock, connection, { ...plan, ...identity }, deadline);
		return { kind: 'held', report, reading: finish(report), egress, warm: false };
	};
	const ports = { clock, addressPolicy: PUBLIC_ONLY, conversations: { hold } };
	return { ask: (question) => askHosts(ports, question) };
}
